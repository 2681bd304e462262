'use strict';

const byId = (id) => document.getElementById(id);
const RETRY = 1500;
// The state comes twice a second.
const LONGEST_SILENCE = 5000;

let source = null;
let silence = 0;

/** Each event is the whole state, so that a new stream needs nothing of the one before. */
function watch() {
  clearTimeout(silence);
  source?.close();
  source = new EventSource('state');
  source.onmessage = (event) => {
    expectMore();
    connection('live', 'Live');
    show(JSON.parse(event.data));
  };
  source.onerror = () => {
    lost();
    // The browser connects again by itself, but not after a refusal.
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(silence);
      silence = setTimeout(watch, RETRY);
    }
  };
  expectMore();
}

function expectMore() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    lost();
    watch();
  }, LONGEST_SILENCE);
}

function lost() {
  connection('waiting', 'Connection lost, trying again');
}

function connection(state, text) {
  byId('connection').dataset.state = state;
  byId('connection').firstElementChild.textContent = text;
  byId('main').classList.toggle('old', state !== 'live');
}

function show(state) {
  byId('problem').hidden = state.problem === undefined;
  byId('problem').textContent = state.problem ?? '';
  if (state.problem === undefined) {
    fill('jobs', state.jobs.map((job) => jobRow(job, state.now)));
    fill('locks', state.locks.map((lock) => lockRow(lock, state.now)));
    byId('count').textContent = state.locks.length;
  }
  fill('timeline', [...state.timeline].reverse().map(timelineRow));
}

function jobRow(job, now) {
  const state = {
    NEVER_RUN: 'never run',
    FINISHED: 'finished',
    RUNNING: 'running since ' + time(job.startedAt) + ', ' + seconds(now - job.startedAt),
    INTERRUPTED: 'interrupted, to be rerun',
    CRASHED: 'crashed, to be rerun',
  }[job.state];
  const outcome = job.outcome === '' ? '–'
      : job.outcome.toLowerCase().replace('_', ' ') + (job.error && ': ' + job.error) + ' (' + time(job.finishedTick) + ')';
  return row(job.state.toLowerCase(), job.name, job.schedule, state, time(job.tick), job.attempt || '–',
      job.node || '–', outcome, time(job.next));
}

function lockRow(lock, now) {
  return row('', lock.key, lock.owner, time(lock.since),
      lock.renewedAt === undefined ? '–' : seconds(now - lock.renewedAt) + ' ago', lock.token || '–');
}

function timelineRow(cells) {
  const what = cells[2];
  const kind = /KILLED|DIES/.test(what) ? 'bad' : /RERUNS|TAKES OVER/.test(what) ? 'good' : '';
  return row(kind, ...cells);
}

/** What comes from the table or the nodes is text: it never becomes markup. */
function row(className, ...texts) {
  const made = document.createElement('tr');
  made.className = className;
  for (const text of texts) {
    made.append(Object.assign(document.createElement('td'), { textContent: text }));
  }
  return made;
}

function fill(id, rows) {
  byId(id).replaceChildren(...rows);
}

function time(millis) {
  return millis === undefined ? '–' : new Date(millis).toLocaleTimeString('en-GB');
}

function seconds(millis) {
  return Math.max(0, millis / 1000).toFixed(1) + ' s';
}

watch();
