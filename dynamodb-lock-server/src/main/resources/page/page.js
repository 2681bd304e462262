'use strict';

const byId = (id) => document.getElementById(id);
const NAME = /^[A-Za-z0-9_-]{3,64}$/;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15000;
// Two of the service's signs of life have not come.
const LONGEST_SILENCE = 40000;

/** What is known only here, and only until the page is closed. */
let token = '';
let granted = new Map();

/** What the service told last. */
let held = { locks: [], leftOut: 0, complete: true };
let known = false;
/** Whether rows come to a list that is seen already. */
let growing = false;
let clockOffset = 0;

let filter = '';
let stream = null;
let pause = FIRST_PAUSE;

const keyOf = (lock) => lock.namespace + '/' + lock.lockName;
const serviceTime = () => Date.now() + clockOffset;
const endOf = (lock) => (lock.expiry + 1) * 1000;

/* ---- The stream ---- */

function watch() {
  if (stream !== null) {
    stream.abort();
  }
  stream = new AbortController();
  follow(stream);
}

async function follow(own) {
  let told = '';
  try {
    told = await read(own);
  } catch (problem) {
    // The network's reason is in the browser's console; here it is enough that there is no stream.
    told = own.signal.aborted && stream !== own ? 'replaced' : '';
  }
  if (stream !== own || told === 'replaced') {
    return;
  }
  stale(true);
  if (told === 'refused') {
    return;
  }
  const wait = pause + Math.random() * 500;
  pause = Math.min(pause * 2, LONGEST_PAUSE);
  connection('waiting', 'Connection lost, trying again');
  setTimeout(() => stream === own && watch(), wait);
}

/**
 * Reads the stream by fetch, since an EventSource cannot send the bearer token.
 */
async function read(own) {
  let silence = setTimeout(() => own.abort(), LONGEST_SILENCE);
  try {
    const query = filter === '' ? '' : '?namespace=' + encodeURIComponent(filter);
    const response = await fetch('v1/locks' + query,
        { headers: { ...authorization(), Accept: 'text/event-stream' }, signal: own.signal, cache: 'no-store' });
    if (!response.ok) {
      return notStreamed(response);
    }
    const events = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      clearTimeout(silence);
      if (done || stream !== own) {
        return '';
      }
      silence = setTimeout(() => own.abort(), LONGEST_SILENCE);
      events.parse(value, hear);
    }
  } finally {
    clearTimeout(silence);
  }
}

function notStreamed(response) {
  if (response.status === 401 || response.status === 403) {
    forget();
    connection('refused', response.status === 401 ? 'Needs a token' : 'Not allowed');
    empty(explain(response.status));
    byId('access').open = response.status === 401;
    return 'refused';
  }
  return '';
}

/** Cuts a text that comes in pieces into events; comments and fields that the service does not send are skipped. */
class EventParser {
  constructor() {
    this.rest = '';
    this.name = '';
    this.data = [];
  }

  parse(text, listener) {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        if (this.data.length > 0) {
          listener(this.name, JSON.parse(this.data.join('\n')));
        }
        this.name = '';
        this.data = [];
      } else if (line.startsWith('event:')) {
        this.name = line.slice(6).trim();
      } else if (line.startsWith('data:')) {
        this.data.push(line.slice(5).trim());
      }
    }
  }
}

function hear(name, data) {
  pause = FIRST_PAUSE;
  if (name === 'locks') {
    clockOffset = data.nowMillis - Date.now();
    held = data;
    growing = known;
    known = true;
    stale(false);
    connection('live', 'Live');
    show();
  } else if (name === 'unavailable') {
    stale(true);
    connection('waiting', 'DynamoDB does not answer');
  }
}

function authorization() {
  return token === '' ? {} : { Authorization: 'Bearer ' + token };
}

/* ---- The list ---- */

function connection(state, text) {
  const line = byId('connection');
  line.dataset.state = state;
  setText(line.firstElementChild, text);
}

function stale(yes) {
  document.querySelector('main').classList.toggle('old', yes && known);
  byId('stale').hidden = !(yes && known);
  setText(byId('stale'), 'The list may be outdated. It shows the last known state.');
}

function forget() {
  held = { locks: [], leftOut: 0, complete: true };
  known = false;
  stale(false);
  show();
}

function empty(text) {
  byId('empty').hidden = text === '';
  setText(byId('empty'), text);
}

function show() {
  const rows = byId('rows');
  const wanted = new Set(held.locks.map(keyOf));
  const kept = new Map();
  for (const row of [...rows.children]) {
    if (wanted.has(row.dataset.key)) {
      kept.set(row.dataset.key, row);
    } else {
      row.remove();
    }
  }
  let position = rows.firstElementChild;
  for (const lock of held.locks) {
    const key = keyOf(lock);
    const row = kept.get(key) ?? newRow(key);
    fill(row, lock);
    // A row that stays where it is keeps the focus.
    if (row === position) {
      position = position.nextElementSibling;
    } else {
      rows.insertBefore(row, position);
    }
  }
  const count = held.locks.length + held.leftOut;
  byId('locks').hidden = held.locks.length === 0;
  setText(byId('count'), known ? (held.complete ? '' : 'at least ') + count : '');
  byId('count').setAttribute('aria-label', known ? count + (count === 1 ? ' lock' : ' locks') : '');
  empty(!known || count > 0 ? '' : noneHeld());
  leftOut();
  suggest();
  tick();
}

function noneHeld() {
  if (!held.complete) {
    return 'None of the locks that were read is held.';
  }
  return filter === '' ? 'No lock is held.' : 'No lock is held in ' + filter + '.';
}

function leftOut() {
  const parts = [];
  if (held.leftOut > 0) {
    parts.push('The first ' + held.locks.length + ' are shown, ' + held.leftOut + ' more are held.');
  }
  if (!held.complete) {
    parts.push('The table is too large to be read as a whole.');
  }
  if (parts.length > 0 && filter === '') {
    parts.push('Choose a namespace to see its locks.');
  }
  byId('left-out').hidden = parts.length === 0;
  setText(byId('left-out'), parts.join(' '));
}

function suggest() {
  if (filter === '') {
    const names = [...new Set(held.locks.map((lock) => lock.namespace))];
    byId('namespaces').replaceChildren(...names.map((name) => element('option', { value: name })));
  }
}

function newRow(key) {
  const name = element('button', { type: 'button', className: 'name' }, element('span', { className: 'namespace' }),
      element('span', { className: 'lock-name' }));
  const row = element('tr', { className: growing ? 'new' : '' },
      cell('Lock', 'lock', name, element('span', { className: 'mine', textContent: 'by this page' })),
      cell('Held by', 'owner', element('span', {})),
      cell('Since', 'since', element('time', {})),
      cell('Time left', 'left', element('span', {}), element('progress', { max: 1 })),
      cell('Fencing token', 'number', element('span', {})));
  // As cards, rows and cells would not be told as such otherwise.
  row.setAttribute('role', 'row');
  row.dataset.key = key;
  row.addEventListener('click', () => choose(row.lock));
  return row;
}

function cell(label, className, ...children) {
  const made = element('td', { className }, ...children);
  made.dataset.label = label;
  made.setAttribute('role', 'cell');
  return made;
}

function fill(row, lock) {
  row.lock = lock;
  const part = (selector) => row.querySelector(selector);
  setText(part('.namespace'), lock.namespace + ' / ');
  setText(part('.lock-name'), lock.lockName);
  part('.name').title = 'Fill the form with this lock';
  part('.mine').hidden = lock.fencingToken === undefined || granted.get(keyOf(lock)) !== lock.fencingToken;
  setText(part('.owner span'), lock.owner);
  const since = part('time');
  setText(since, lock.since === undefined ? 'unknown' : timeOf(lock.since * 1000));
  if (lock.since !== undefined) {
    since.dateTime = new Date(lock.since * 1000).toISOString();
    since.title = new Date(lock.since * 1000).toLocaleString();
  }
  part('.left').title = 'until ' + new Date(endOf(lock)).toLocaleString();
  setText(part('.number span'), lock.fencingToken === undefined ? 'none' : String(lock.fencingToken));
}

/** Counts down. Not announced, since it would never end. */
function tick() {
  for (const row of byId('rows').children) {
    const left = Math.max(0, endOf(row.lock) - serviceTime());
    const whole = row.lock.since === undefined ? left : endOf(row.lock) - row.lock.since * 1000;
    setText(row.querySelector('.left span'), left === 0 ? 'running out' : duration(Math.ceil(left / 1000)));
    row.querySelector('progress').value = whole > 0 ? Math.min(1, left / whole) : 0;
    row.classList.toggle('ending', left <= 10000);
  }
}

function duration(seconds) {
  const two = (number) => String(number).padStart(2, '0');
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  const clock = days > 0 || hours > 0 ? hours + ':' + two(minutes) : String(minutes);
  return (days > 0 ? days + ' d ' : '') + clock + ':' + two(seconds % 60);
}

function timeOf(millis) {
  const date = new Date(millis);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString();
}

/* ---- By hand ---- */

function choose(lock) {
  byId('namespace').value = lock.namespace;
  byId('lock-name').value = lock.lockName;
  const form = byId('by-hand');
  form.scrollIntoView({ block: 'nearest' });
  form.focus({ preventScroll: true });
}

async function act(operation) {
  const call = {
    operation,
    namespace: byId('namespace').value.trim(),
    lockName: byId('lock-name').value.trim(),
  };
  const body = { instanceId: byId('instance-id').value.trim() };
  if (operation !== 'release') {
    const lease = byId('lease').value.trim();
    // What is no number is sent as it is: the service says what is wrong with it.
    body.leaseDuration = /^\d+$/.test(lease) ? Number(lease) : lease;
  }
  if (call.namespace === '' || call.lockName === '') {
    answer('refused', 'Which lock?', 'Fill in namespace and lock name, or choose a lock from the list.');
    byId(call.namespace === '' ? 'namespace' : 'lock-name').focus();
    return;
  }
  busy(true);
  try {
    await send(call, body);
  } catch (problem) {
    answer('failed', 'No answer', 'It is unknown whether the service did this. The list will show it.');
  } finally {
    busy(false);
  }
}

async function send(call, body) {
  const headers = { ...authorization(), 'Content-Type': 'application/json', Accept: 'application/json' };
  if (call.operation !== 'release') {
    // If anything on the way repeats the request, the lease is lengthened once.
    headers['Idempotency-Key'] = randomName();
  }
  const path = 'v1/' + encodeURIComponent(call.namespace) + '/lock/' + encodeURIComponent(call.lockName) + '/'
      + call.operation;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  let content = {};
  try {
    content = await response.json();
  } catch (problem) {
    // Something on the way has answered; the status says enough.
  }
  tell(call, response.status, content);
}

function tell(call, status, content) {
  const lock = keyOf(call);
  if (status === 200) {
    succeeded(call, lock, content);
  } else if (status === 423) {
    answer('refused', '423 Locked', {
      acquire: 'Another client holds ' + lock + '.',
      renew: 'This instance does not hold ' + lock + '. The lock is free, its lease has ended, or another client '
          + 'holds it.',
      release: 'Another client holds ' + lock + '. It was not released.',
    }[call.operation]);
  } else if (status === 400) {
    answer('failed', '400 Bad Request', content.message ?? '', content.details);
  } else {
    answer('failed', String(status), explain(status) || (content.message ?? 'Unexpected response.'));
    byId('access').open ||= status === 401;
  }
}

function succeeded(call, lock, content) {
  if (call.operation === 'release') {
    granted.delete(lock);
    answer('done', 'Released', lock + ' is not held by this instance.');
  } else {
    granted.set(lock, content.fencingToken);
    answer('done', call.operation === 'acquire' ? 'Acquired' : 'Renewed', lock + ' is held until '
        + timeOf(endOf(content)) + ', ' + content.leaseDuration + ' s in all. Fencing token ' + content.fencingToken
        + '.');
  }
  show();
}

function explain(status) {
  switch (status) {
    case 401:
      return token === '' ? 'The service requires a bearer token. Enter one below.'
          : 'The service does not accept this token. It may have expired. Enter another one below.';
    case 403:
      return 'Either the rules do not allow your token to do this, or the service is not configured to admit any client, '
          + 'or a proxy does not forward the Host header of this page.';
    case 503:
      return 'DynamoDB or the issuer of tokens does not answer. It is unknown whether the service did this. Try again.';
    default:
      return '';
  }
}

function answer(kind, title, text, details = []) {
  const box = byId('answer');
  box.dataset.kind = kind;
  box.hidden = false;
  setText(byId('answer-title'), title);
  setText(byId('answer-text'), text);
  byId('answer-details').replaceChildren(...details.map((detail) => element('li', { textContent: detail })));
}

let waiting = false;

function busy(yes) {
  waiting = yes;
  // Not disabled, which would lose the focus.
  document.querySelectorAll('#form button').forEach((button) => button.setAttribute('aria-disabled', String(yes)));
}

/* ---- Small things ---- */

/** Names and owners are anybody's text: it never becomes markup. */
function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return 'page-' + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function changeFilter() {
  const wanted = byId('filter').value.trim();
  const problem = byId('filter-problem');
  const valid = wanted === '' || NAME.test(wanted);
  problem.hidden = valid;
  setText(problem, valid ? '' : 'A namespace has 3 to 64 letters, digits, - or _.');
  byId('filter').setAttribute('aria-invalid', String(!valid));
  if (valid && wanted !== filter) {
    filter = wanted;
    forget();
    connection('connecting', 'Connecting…');
    watch();
  }
}

let typing = 0;
byId('filter').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(changeFilter, 400);
});

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!waiting) {
    act(event.submitter?.value ?? 'acquire');
  }
});

byId('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const given = byId('token').value.trim();
  if (!/^[\w.~+/-]*=*$/.test(given)) {
    answer('failed', 'Not a token', 'A bearer token contains only letters, digits and - . _ ~ + / =. Copy all of it.');
    return;
  }
  token = given;
  pause = FIRST_PAUSE;
  forget();
  connection('connecting', 'Connecting…');
  watch();
});

byId('instance-id').value = randomName();
setInterval(tick, 250);
forget();
watch();
