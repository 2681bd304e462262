-------------------------------- MODULE Lock --------------------------------
(* One lock: a row of the table, and clients that acquire, keep, lose and     *)
(* release it. Calls may be delayed for ever, be applied twice, overtake each *)
(* other, or be applied while their answer is lost. Clients pause, crash and  *)
(* start again. README.md tells which class each action is about.             *)
(*                                                                            *)
(* Time has no origin here: deadlines are what is left of them, and send and  *)
(* reading times are ages. Each stops when it matters no more, so that time   *)
(* may go on for ever in a finite number of states.                           *)
EXTENDS Integers, TLC

CONSTANTS
  Clients,      \* who contends
  Lease,        \* the lease that clients ask for, in ticks of a clock
  LongLease,    \* the lease that some clients ask for
  Patient,      \* which
  Margin,       \* by how much the validity is shorter than the lease
  Fast,         \* clients whose clock advances twice while the others' advances once
  NewLeases,    \* leases that a holder may change to; {} for none
  MaxVersions,  \* how many calls that write are sent at most
  Heartbeats,   \* whether holders send heartbeats
  Releases,     \* whether holders release
  GuardedWrites, \* whether holders send guarded writes
  Unanswered,   \* the phases in which a call may be given up as unanswered
  Repeats,      \* the kinds of calls that may be applied twice
  StaleReads,   \* whether a waiter's read may show the row before the last write
  Looks,        \* whether clients read the lock in the background and remember what they see
  Awaits,       \* whether a takeover may be of the version that was seen and of nothing else
  Marks,        \* whether waiters leave their name in the row, in place of a read
  Memories,     \* disjoint sets of clients that remember their own writes. Those in one set share the
                \* memory, as requests in several owners' names of one process do; {} if none remembers
  Crashes,      \* whether clients crash and start again
  Deletions,    \* how releases free the lock: TRUE deletes the row, FALSE keeps it
  Purges,       \* whether time to live deletes released rows
  Handovers,    \* whether locks are detached, adopted and released by their token
  Ticks,        \* what acquisitions are for, each of which is to be granted once; {} for nothing
  Tokens,       \* how many fencing tokens a claim reserves: for its holder, and for those of the same
                \* client to whom the lock is handed on
  RightClock,   \* whether the wall clock that seeds tokens goes on; otherwise it stands
  Broken,       \* the rules that are switched off
  Calm,         \* whether faults have stopped: whoever waits goes on waiting, calls take no time,
                \* and who had the lock once wants it no more
  Watched       \* the events that are recorded; {} when safety is checked

VARIABLES
  row,      \* the lock's row, or None
  before,   \* what it was before the last write, for stale reads
  net,      \* calls on their way that may still matter
  client,   \* what each client knows
  handed,   \* the tokens of detached locks, used up or not: record version number and grant
  given,    \* how many record version numbers were given
  told,     \* the fencing tokens that each client was granted, where tokens may restart
  ran,      \* the ticks that a client was granted the lock for
  highest,  \* the highest fencing token since the row exists
  untold,   \* whether the row's grant is one that its client need not know of
  wrong,    \* what must not happen and did
  events    \* what happened, of what is watched

vars == <<row, before, net, client, handed, given, told, ran, highest, untold, wrong, events>>

None == [version |-> 0]
NoOne == {}  \* who waits, as a row says: the client that left its name last, or no one
NoLease == [version |-> 0]
Rule(name) == name \notin Broken
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Validity(lease) == lease - Margin
LeaseOf(c) == IF c \in Patient THEN LongLease ELSE Lease
Leases == {LeaseOf(c) : c \in Clients} \cup NewLeases
Longest == CHOOSE l \in Leases : \A other \in Leases : other <= l
Forgets == Deletions = {FALSE} /\ ~Purges  \* the row is never deleted

IsHeld(r) == r # None /\ ~r.released
Happened(name, condition) == IF condition THEN {name} \cap Watched ELSE {}

-----------------------------------------------------------------------------
(* What a client knows. phase: what it does; call: the version of the write   *)
(* that it waits for, Reading, or a mark's; reply: the answers to it that are *)
(* on their way; sent: the claims of the present acquisition with their age;  *)
(* open: those that may have taken the lock unnoticed; ours: a grant that     *)
(* came too late; seen: the observation of another owner; lease: the handle;  *)
(* over: the version that this acquisition adopts; tick: what it              *)
(* is for, or 0: it then carries no condition; look: the                      *)
(* answer to a read in the background that is on its way; wrote: the last     *)
(* write that was confirmed to it or to a client that shares its memory, and  *)
(* the time since that write was sent.                                        *)
NoCall == 0
Reading == -1
MarkOf(version) == -2 - version
IsWrite(call) == call > 0
Fresh(seen) == [phase |-> "idle", call |-> NoCall, since |-> 0, reply |-> {}, sent |-> {},
                open |-> {}, ours |-> 0, seen |-> seen, lease |-> NoLease, over |-> 0, tick |-> 0, look |-> {},
                wrote |-> None]
Idle(c) == [Fresh(client[c].seen) EXCEPT !.look = client[c].look, !.wrote = client[c].wrote, !.phase =
              IF Calm /\ client[c].phase \in {"held", "releasing"} THEN "done" ELSE "idle"]
NewProcess == Fresh(None)

Kept(c) == client[c].phase = "held" /\ client[c].lease.left > 0

Start ==
  /\ before = None /\ handed = {}
  /\ client = [c \in Clients |-> NewProcess]
  /\ told = [c \in Clients |-> {}] /\ ran = {}
  /\ untold = FALSE /\ wrong = {} /\ events = {}
Init == Start /\ row = None /\ net = {} /\ given = 0 /\ highest = 0

-----------------------------------------------------------------------------
(* Versions *)

RowVersions(r) == IF r = None THEN {} ELSE {r.version, r.grant}
MayWrite == given < MaxVersions
NewVersion == given + 1
Give == given' = given + 1

-----------------------------------------------------------------------------
(* Calls on their way. One whose condition can never hold again, and whose    *)
(* answer nobody waits for, is forgotten: it changes nothing.                 *)

\* Rules whose breach lets a call change a row of another version.
LaxConditions == {"takeover of one version", "release by version, not by owner",
                  "release by version, not by fencing token", "a release by token asks for its version"}
Copies(kind) == IF kind \in Repeats THEN 2 ELSE 1
MayMatter(m, calls) ==
  \/ m.kind = "claim" /\ m.free
  \/ m.kind = "mark" /\ row' # None
  \/ m.kind = "guarded" /\ (~Rule("a guarded write asks for the token") \/ (IsHeld(row') /\ row'.token = m.token))
  \/ client'[m.from].call = m.version
  \/ \E v \in m.on : \/ row' # None /\ row'.version = v
                     \/ \E other \in calls : other.kind # "release" /\ other.version = v
  \/ Broken \cap LaxConditions # {}
Underway(calls) == net' = {m \in calls : MayMatter(m, calls)}
Sent(calls) == UNCHANGED row /\ Underway(calls)

\* A claim for a tick notes it in the row, and asks for a row that has no such tick yet.
Claim(c, version, on, free, tick, asks) ==
  [kind |-> "claim", from |-> c, version |-> version, on |-> on, lease |-> LeaseOf(c),
   free |-> free, tick |-> tick, asks |-> asks, grant |-> version, copies |-> Copies("claim")]
Beat(c, version, lease) ==
  [kind |-> "beat", from |-> c, version |-> version, on |-> {client[c].lease.version},
   lease |-> lease, grant |-> client[c].lease.grant, copies |-> Copies("beat")]
Freeing(c, version, on, deletes, grant, token) ==
  [kind |-> "release", from |-> c, version |-> version, on |-> on, deletes |-> deletes,
   grant |-> grant, token |-> token, copies |-> Copies("release")]
Guarded(c) ==
  [kind |-> "guarded", from |-> c, version |-> NoCall, on |-> {}, token |-> client[c].lease.shown,
   holder |-> client[c].lease.token, copies |-> 1]
Mark(c, version) ==
  [kind |-> "mark", from |-> c, version |-> MarkOf(version), on |-> {}, renames |-> version,
   copies |-> Copies("mark")]

-----------------------------------------------------------------------------
(* Time *)

Steps(c) == IF c \in Fast THEN 2 ELSE 1
AwaitedLease(c, seen) == IF Rule("the stored lease is waited for") THEN seen.lease ELSE LeaseOf(c)
Older(c, age) == Min(Longest, age + Steps(c))
LeaseAfter(c, lease) ==
  IF lease = NoLease THEN lease
  ELSE [lease EXCEPT !.left = Max(0, @ - Steps(c)),
                     !.lost = @ \/ lease.left <= Steps(c),
                     !.beats = {[b EXCEPT !.age = Older(c, @)] : b \in lease.beats}]
Aged(c) ==
  LET me == client[c] IN
  [me EXCEPT
     !.since = IF me.call # NoCall /\ ~Rule("observed from the answer") THEN Older(c, @) ELSE 0,
     !.sent = {[s EXCEPT !.age = Min(LeaseOf(c), @ + Steps(c))] : s \in me.sent},
     !.seen = IF @ = None THEN None ELSE [@ EXCEPT !.for = Min(AwaitedLease(c, me.seen), @ + Steps(c))],
     !.wrote = IF @ = None THEN None ELSE [@ EXCEPT !.for = Min(me.wrote.lease, @ + Steps(c))],
     !.lease = LeaseAfter(c, @)]
Tick ==
  /\ Calm => net = {} /\ \A c \in Clients : client[c].reply = {} \/ client[c].call = Reading
  /\ client' = [c \in Clients |-> Aged(c)]
  /\ UNCHANGED <<row, before, net, handed, given, told, ran, highest, untold, wrong, events>>

-----------------------------------------------------------------------------
(* Acquire *)

Become(c, me) == client' = [client EXCEPT ![c] = me]
BecomeAndRemember(c, me, own) ==
  client' = [d \in Clients |-> [(IF d = c THEN me ELSE client[d])
               EXCEPT !.wrote = IF \E shared \in Memories : {c, d} \subseteq shared THEN own ELSE @]]
NothingElse == UNCHANGED <<row, before, handed, told, ran, highest, untold, wrong>>

\* Whoever adopts a lock continues with that version, and takes nothing else.
Adopt(c) ==
  /\ Handovers /\ client[c].phase = "idle"
  /\ \E h \in handed : Become(c, [client[c] EXCEPT !.phase = "acquiring", !.over = h.version])
  /\ UNCHANGED <<net, given, events>> /\ NothingElse

IsTakeable(c) ==
  LET seen == client[c].seen
  IN Rule("takeover") /\ seen # None /\ seen.for >= AwaitedLease(c, seen)

TicksOf(c) ==
  IF client[c].phase # "idle" THEN {client[c].tick} ELSE IF Ticks = {} THEN {0} ELSE Ticks

\* Whether a claim carries the condition. A claim of what this acquisition wrote itself does not:
\* that write met the condition, and made it false.
Asks(c, tick, on) ==
  /\ tick # 0 /\ client[c].ours = 0
  /\ Rule("a takeover carries the condition") \/ on = {}
  /\ Rule("a repeated claim carries the condition") \/ client[c].open = {}
Meets(r, tick) == tick = 0 \/ r = None \/ r.tick < tick

SendClaim(c) ==
  LET me == client[c]
      version == NewVersion
      on == IF me.over # 0 /\ me.ours = 0 THEN {me.over}
            ELSE IF me.ours # 0 THEN {me.ours}
            ELSE IF IsTakeable(c) THEN {me.seen.version} ELSE {}
  IN /\ me.phase \in {"idle", "acquiring"} /\ me.call = NoCall /\ MayWrite
     /\ me.seen = None \/ on # {} \/ ~Rule("a mark decides nothing")
     \* Who outlasts its wait for an owner that seems to have crashed takes that version only.
     /\ \E only \in {FALSE} \cup {Awaits /\ IsTakeable(c)}, tick \in TicksOf(c) :
          /\ Become(c, [me EXCEPT !.phase = "acquiring", !.call = version, !.tick = tick,
                                  !.sent = @ \cup {[version |-> version, age |-> 0]}, !.open = @ \cup {version}])
          /\ Sent(net \cup {Claim(c, version, on, me.over = 0 /\ ~only /\ (me.ours = 0 \/ tick = 0),
                                  tick, Asks(c, tick, on))})
     /\ Give /\ events' = events \cup Happened("claimed again", me.ours # 0) /\ NothingElse

\* A read that is applied late is one that was sent late, so that sending and applying it are one
\* step, and the coming of its answer is another.
Read(c) ==
  LET me == client[c] IN
  /\ me.call = NoCall /\ me.ours = 0
  /\ \/ me.phase = "settling"
     \/ me.phase \in {"idle", "acquiring"} /\ me.over = 0 /\ me.seen # None /\ ~IsTakeable(c)
  /\ \E r \in {row} \cup (IF StaleReads /\ me.phase # "settling" THEN {before} ELSE {}), tick \in TicksOf(c) :
       /\ Become(c, [me EXCEPT !.call = Reading, !.reply = {[ok |-> FALSE, row |-> r]}, !.tick = tick,
                               !.phase = IF @ = "idle" THEN "acquiring" ELSE @])
       /\ events' = events \cup Happened("stale read", r # row)
  /\ UNCHANGED <<net, given>> /\ NothingElse

\* A waiter leaves its name in the row instead of reading it. The mark asks for a row, whoever has it;
\* its answer is that of a read, but the mark may be applied at any later time, and once more.
SendMark(c) ==
  LET me == client[c] IN
  /\ Marks /\ me.phase = "acquiring" /\ me.call = NoCall /\ me.ours = 0 /\ me.over = 0
  /\ me.seen # None /\ ~IsTakeable(c) /\ MayWrite
  /\ Become(c, [me EXCEPT !.call = MarkOf(NewVersion)])
  /\ Sent(net \cup {Mark(c, NewVersion)})
  /\ Give /\ UNCHANGED events /\ NothingElse

\* For how long the row is known to be as an answer shows it: since the observation that the answer
\* continues, since the client itself sent the write that the answer shows, or since the answer.
SeenFor(c, r, since) ==
  LET me == client[c]
      own == me.wrote # None /\ (me.wrote.version = r.version \/ ~Rule("an own write is known by its version"))
  IN IF me.seen # None /\ me.seen.version = r.version /\ me.seen.lease = r.lease THEN me.seen.for
     ELSE IF own THEN Min(Max(me.wrote.for, since), r.lease) ELSE since

\* A refused acquisition completes its observation by a read at any later time. Its answer counts
\* only if nothing else was seen of the lock while it was on its way.
SendLook(c) ==
  LET me == client[c] IN
  /\ Looks /\ me.look = {} /\ me.seen # None
  /\ \E r \in {row} \cup (IF StaleReads THEN {before} ELSE {}) :
       Become(c, [me EXCEPT !.look = {[row |-> r, of |-> me.seen.version]}])
  /\ UNCHANGED <<net, given, events>> /\ NothingElse
HearLook(c) ==
  LET me == client[c] IN
  /\ \E look \in me.look :
       LET r == look.row
           continues == me.seen # None /\ IsHeld(r) /\ me.seen.version = r.version /\ me.seen.lease = r.lease
           counts == me.seen # None /\ me.seen.version = look.of
       IN /\ Become(c, [me EXCEPT !.look = {},
                 !.seen = IF ~counts THEN @ ELSE IF ~IsHeld(r) THEN None
                          ELSE [version |-> r.version, lease |-> r.lease, for |-> SeenFor(c, r, 0)]])
          /\ events' = events \cup Happened("seen in the background", counts /\ IsHeld(r) /\ ~continues)
  /\ UNCHANGED <<net, given>> /\ NothingElse

HeldLease(grant, token, left, lease) ==
  [version |-> grant, token |-> token, shown |-> token, left |-> left, beats |-> {}, grant |-> grant,
   wants |-> lease, guards |-> FALSE, lost |-> FALSE]

\* The row shows a claim of this acquisition.
Granted(c, r, age) ==
  LET me == client[c]
      left == IF Rule("validity from the send") THEN Validity(r.lease) - age ELSE Validity(r.lease)
      own == [version |-> r.version, lease |-> r.lease, for |-> age]
  IN /\ IF left > 0
        THEN /\ BecomeAndRemember(c, [Idle(c) EXCEPT !.phase = "held", !.seen = None,
                              !.lease = HeldLease(r.version, r.token, left, r.lease)], own)
             /\ told' = [told EXCEPT ![c] = IF Forgets THEN {} ELSE @ \cup {r.token}]
             /\ ran' = ran \cup ({me.tick} \ {0})
             /\ wrong' = wrong \cup (IF me.tick \in ran THEN {"tick"} ELSE {})
        ELSE /\ BecomeAndRemember(c, [me EXCEPT !.call = NoCall, !.reply = {}, !.seen = None,
                              !.ours = r.version, !.open = @ \cup {r.version}], own)
             /\ UNCHANGED <<told, ran, wrong>>
     /\ UNCHANGED <<row, before, handed, highest, untold>>

\* Which claim the row shows; with the rule broken, any that this client ever made counts as
\* the last one.
Recognised(c, r) ==
  IF ~IsHeld(r) THEN {}
  ELSE IF Rule("recovery for each acquisition") THEN {s \in client[c].sent : s.version = r.version}
  ELSE IF r.owner = c THEN {s \in client[c].sent : s.version = client[c].call} ELSE {}

Observed(c, r) ==
  [version |-> r.version, lease |-> r.lease, for |-> SeenFor(c, r, client[c].since)]

\* A refused claim shows that the condition keeps this acquisition from a lock that it could take.
NotMet(c, r, refused) ==
  /\ refused /\ client[c].ours = 0 /\ ~Meets(r, client[c].tick)
  /\ ~IsHeld(r) \/ (IsTakeable(c) /\ client[c].seen.version = r.version)
     \/ (~Rule("an own claim need not meet the condition again") /\ r.version \in client[c].open)

HearAcquiring(c, r, refused) ==
  LET me == client[c]
      mine == IF NotMet(c, r, refused) THEN {} ELSE Recognised(c, r)
      \* A claim that can never be seen any more is forgotten.
      visible == {m.version : m \in net} \cup RowVersions(row) \cup RowVersions(before)
      rest == [me EXCEPT !.call = NoCall, !.reply = {}, !.since = 0, !.ours = 0,
                         !.sent = {s \in @ : s.version \in visible}]
  IN IF mine # {}
     THEN \E s \in mine :
            /\ Granted(c, r, s.age)
            /\ events' = events \cup Happened("lost claim found", refused /\ s.version # me.call)
                                \cup Happened("adopted", me.over # 0)
     ELSE IF NotMet(c, r, refused)
     THEN /\ Become(c, Idle(c))
          /\ events' = events \cup Happened("condition not met", TRUE)
          /\ NothingElse
     ELSE /\ Become(c, IF ~IsHeld(r) THEN [rest EXCEPT !.seen = None]
                       ELSE [rest EXCEPT !.seen = Observed(c, r), !.open = IF refused THEN {} ELSE @])
          /\ events' = events \cup Happened("own write seen a lease after its send", IsHeld(r) /\ me.seen = None
                                            /\ Memories # {} /\ SeenFor(c, r, 0) = r.lease)
          /\ NothingElse

\* The caller leaves, or its time is over.
GiveUp(c) ==
  LET me == client[c] IN
  /\ me.phase = "acquiring" /\ me.call = NoCall /\ ~Calm
  /\ Become(c, IF me.open = {} \/ ~Rule("settlement") THEN Idle(c)
               ELSE [Idle(c) EXCEPT !.phase = "settling", !.open = me.open])
  /\ Sent(net) /\ UNCHANGED <<given, events>> /\ NothingElse

-----------------------------------------------------------------------------
(* Settle: one consistent read; what it shows of this acquisition is freed.   *)

HearSettling(c, r) ==
  LET me == client[c] IN
  \* A refused release shows what landed since the read.
  /\ Become(c, IF (me.call = Reading \/ Rule("settlement follows a refusal")) /\ IsHeld(r) /\ r.version \in me.open
               THEN [me EXCEPT !.call = NoCall, !.reply = {}, !.ours = r.version] ELSE Idle(c))
  /\ UNCHANGED events /\ NothingElse

SettlingRelease(c) ==
  LET me == client[c]
      version == NewVersion
  IN /\ me.phase = "settling" /\ me.call = NoCall /\ me.ours # 0 /\ MayWrite
     /\ \E deletes \in Deletions :
          /\ Become(c, [me EXCEPT !.call = version])
          /\ Sent(net \cup {Freeing(c, version, {me.ours}, deletes, me.ours, 0)})
     /\ Give /\ events' = events \cup Happened("settled", TRUE) /\ NothingElse

-----------------------------------------------------------------------------
(* Keep *)

Ask(c) ==
  /\ Kept(c)
  /\ \E lease \in NewLeases : /\ lease # client[c].lease.wants
                              /\ Become(c, [client[c] EXCEPT !.lease.wants = lease])
  /\ UNCHANGED <<net, given, events>> /\ NothingElse

SendBeat(c) ==
  LET me == client[c]
      wants == me.lease.wants
      version == NewVersion
      until == IF Rule("a shorter lease shortens the deadline") THEN Validity(wants) ELSE me.lease.left
  IN /\ Heartbeats /\ Kept(c) /\ me.call = NoCall /\ MayWrite
     /\ Become(c, [me EXCEPT !.call = version, !.lease.left = Min(@, until),
                             !.lease.beats = @ \cup {[version |-> version, age |-> 0, lease |-> wants]}])
     /\ Sent(net \cup {Beat(c, version, wants)})
     /\ Give /\ UNCHANGED events /\ NothingElse

Newest(beats) == CHOOSE b \in beats : \A other \in beats : b.age <= other.age

\* One heartbeat is known to be applied; the others rest on the version that it replaced.
Confirmed(lease, beat) ==
  LET age == IF ~Rule("validity from the send") THEN 0
             ELSE IF Rule("recovery from the send of what was found") THEN beat.age ELSE Newest(lease.beats).age
  IN [lease EXCEPT !.version = beat.version, !.beats = {}, !.left = Max(@, Validity(beat.lease) - age)]

\* What is remembered of a heartbeat that was applied. The newest one was not sent before it.
OwnBeat(c, beat) ==
  LET me == client[c] IN
  [version |-> beat.version, lease |-> beat.lease,
   for |-> Min(beat.lease, IF Rule("an own write counts from its own send") \/ me.wrote = None
                           THEN Newest(me.lease.beats).age ELSE me.wrote.for)]

HearHeld(c, reply) ==
  LET me == client[c]
      r == reply.row
      rest == [me EXCEPT !.call = NoCall, !.reply = {}]
      found == IF reply.ok THEN {b \in me.lease.beats : b.version = me.call}
               ELSE IF IsHeld(r) THEN {b \in me.lease.beats : b.version = r.version} ELSE {}
  IN /\ Kept(c) \/ ~Rule("a lost lock stays lost")
     /\ IF found # {}
        THEN \E b \in found :
               /\ BecomeAndRemember(c, [rest EXCEPT !.lease = Confirmed(me.lease, b)], OwnBeat(c, b))
               /\ events' = events \cup Happened("lost heartbeat found", b.version # me.call)
        ELSE /\ Become(c, IF IsHeld(r) /\ r.version = me.lease.version THEN rest ELSE Idle(c))
             /\ UNCHANGED events
     /\ NothingElse

\* The deadline has passed. A handle that is released now sends one release, which nobody waits for.
Lapse(c) ==
  LET me == client[c]
      versions == {me.lease.version} \cup {b.version : b \in me.lease.beats}
  IN /\ me.phase = "held" /\ me.lease.left = 0
     /\ Become(c, Idle(c))
     /\ untold' = (untold \/ (row # None /\ row.owner = c))
     /\ \/ Sent(net) /\ UNCHANGED <<given, events>>
        \/ /\ Releases /\ MayWrite /\ Give
           /\ \E deletes \in Deletions :
                Sent(net \cup {Freeing(c, NewVersion, versions, deletes, me.lease.grant, me.lease.token)})
           /\ events' = events \cup Happened("released after the end", TRUE)
     /\ UNCHANGED <<row, before, handed, told, ran, highest, wrong>>

-----------------------------------------------------------------------------
(* Release *)

SendRelease(c) ==
  LET me == client[c]
      versions == {me.lease.version} \cup {b.version : b \in me.lease.beats}
      version == NewVersion
  IN /\ \/ Kept(c) /\ Releases
        \/ me.phase = "releasing" /\ me.call = NoCall /\ me.lease.left > 0
     /\ MayWrite
     /\ \E deletes \in Deletions :
          /\ Become(c, [me EXCEPT !.phase = "releasing", !.call = version, !.reply = {}])
          /\ Sent(net \cup {Freeing(c, version, versions, deletes, me.lease.grant, me.lease.token)})
     /\ Give /\ UNCHANGED events /\ NothingElse

HearReleasing(c) ==
  /\ Become(c, Idle(c)) /\ UNCHANGED events /\ NothingElse

-----------------------------------------------------------------------------
(* Guarded writes *)

\* A holder writes as long as it believes that it holds the lock. The write may be applied at any
\* later time. So may one that the application sends later, under a condition that it was given now.
Guards(rule) == Tokens > 1 /\ Rule(rule)
SendGuarded(c) ==
  /\ GuardedWrites /\ Kept(c)
  /\ Become(c, [client[c] EXCEPT !.lease.guards = @ \/ Guards("a guarded write counts from when it is sent")])
  /\ Sent(net \cup {Guarded(c)})
  /\ UNCHANGED <<given, events>> /\ NothingElse

-----------------------------------------------------------------------------
(* Hand on *)

\* The next holder of the same client has the lease as it is, under a token that the row does not show.
\* Guarded writes ask for the token that it shows, so that one holder of a claim sends some at most.
HandOn(c) ==
  LET lease == client[c].lease
      token == lease.token + 1
  IN /\ Kept(c) /\ client[c].call = NoCall /\ lease.beats = {} /\ token < lease.shown + Tokens
     /\ ~lease.guards \/ ~Rule("a lock with guarded writes is not handed on")
     /\ Become(c, [client[c] EXCEPT !.lease.token = token])
     /\ highest' = Max(highest, token)
     /\ wrong' = wrong \cup (IF token <= highest THEN {"token"} ELSE {})
     /\ events' = events \cup Happened("handed on", TRUE)
     /\ UNCHANGED <<row, before, net, handed, given, told, ran, untold>>

-----------------------------------------------------------------------------
(* Detach and adopt *)

Detach(c) ==
  /\ Handovers /\ Kept(c) /\ client[c].call = NoCall /\ client[c].lease.beats = {}
  /\ handed' = handed \cup {[version |-> client[c].lease.version, grant |-> client[c].lease.grant]}
  /\ untold' = TRUE
  /\ Become(c, Idle(c)) /\ Sent(net)
  /\ UNCHANGED <<row, before, given, told, ran, highest, wrong, events>>

\* Whoever has the token frees the lock by it; with the rule broken, whatever lock is there.
ReleaseByToken(c) ==
  /\ Handovers /\ MayWrite /\ client[c].phase = "idle"
  /\ \E h \in handed, deletes \in Deletions :
       LET on == IF Rule("a release by token asks for its version") THEN {h.version} ELSE 1..MaxVersions
       IN /\ UNCHANGED client
          /\ Sent(net \cup {Freeing(c, NewVersion, on, deletes, h.grant, 0)})
  /\ Give /\ UNCHANGED events /\ NothingElse

-----------------------------------------------------------------------------
(* Faults of clients *)

\* A call is given up as unanswered; what is on its way goes on.
TimeOut(c) ==
  /\ client[c].call # NoCall /\ client[c].phase \in Unanswered
  \* An answer that is lost is one that comes after the time-out.
  /\ client[c].reply = {}
  /\ Become(c, [client[c] EXCEPT !.call = NoCall, !.since = 0])
  /\ Sent(net) /\ UNCHANGED <<given, events>> /\ NothingElse

\* A release or a settlement ends without an answer after several calls, or when the lease is over.
StopAsking(c) ==
  /\ client[c].phase \in {"releasing", "settling"} /\ client[c].call = NoCall
  /\ Become(c, Idle(c)) /\ Sent(net)
  /\ untold' = (untold \/ (row # None /\ row.owner = c))
  /\ UNCHANGED <<row, before, handed, given, told, ran, highest, wrong, events>>

Crash(c) ==
  /\ Crashes /\ client[c] # NewProcess
  /\ Become(c, NewProcess) /\ Sent(net)
  /\ untold' = (untold \/ (row # None /\ row.owner = c))
  /\ UNCHANGED <<row, before, handed, given, told, ran, highest, wrong, events>>

-----------------------------------------------------------------------------
(* The table *)

MayClaim(m) ==
  \/ m.free /\ (row = None \/ row.released)
  \/ /\ row # None
     /\ row.version \in m.on \/ (~Rule("takeover of one version") /\ m.on # {})
     /\ ~m.free /\ Rule("an adoption looks at the flag") => ~row.released
  \/ row # None /\ m.from \in row.wanted /\ ~Rule("a mark decides nothing")
MayTake(m) == MayClaim(m) /\ (m.asks => Meets(row, m.tick))
Claimed(m, token) ==
  [owner |-> m.from, version |-> m.version, lease |-> m.lease, released |-> FALSE, token |-> token,
   grant |-> m.version, tick |-> IF m.tick # 0 \/ row = None THEN m.tick ELSE row.tick,
   wanted |-> IF row = None THEN NoOne ELSE row.wanted]
Seed(m) == IF RightClock THEN m.version - 1 ELSE 0
Reserved == IF Rule("a claim reserves tokens") THEN Tokens ELSE 1
NextToken(m) == (IF row = None \/ ~Rule("tokens go on counting") THEN Seed(m) ELSE row.token) + Reserved

MayBeat(m) == row # None /\ row.version \in m.on /\ ~row.released
MayRelease(m) ==
  /\ row # None
  /\ IF ~Rule("release by version, not by owner") THEN row.owner = m.from /\ ~row.released
     ELSE IF ~Rule("release by version, not by fencing token") THEN row.token = m.token /\ ~row.released
     ELSE row.version \in m.on
Freed(m) ==
  IF m.deletes THEN None
  ELSE [row EXCEPT !.released = TRUE, !.wanted = NoOne, !.version = IF Rule("a release changes the version") THEN m.version ELSE @]

Replied(m, reply) ==
  client' = IF client[m.from].call # m.version THEN client
            ELSE [client EXCEPT ![m.from].reply = @ \cup {reply}]
Answered(m, ok) == Replied(m, [ok |-> ok, row |-> IF ok THEN None ELSE row])
AnsweredClaim(m, now) ==
  client' = IF client[m.from].call # m.version THEN client
            ELSE [client EXCEPT ![m.from].reply = @ \cup {[ok |-> FALSE, row |-> now]}]
OneLess(m) == IF m.copies = 1 THEN net \ {m} ELSE (net \ {m}) \cup {[m EXCEPT !.copies = 1]}
Written(r) == row' = r /\ before' = IF StaleReads THEN row ELSE None

\* Whether the claim lands when its client looks for it no more: another grant or a refusal told
\* that it had not landed, or the settlement's read came before it.
LandsLate(m) ==
  LET me == client[m.from] IN
  \/ m.version \notin me.open
  \/ me.phase = "settling" /\ me.reply # {}
  \/ /\ Rule("what lands after a refusal may stay")
     /\ \E r \in me.reply :
          IsWrite(me.call) /\ IsHeld(r.row) /\ r.row.version \notin {s.version : s \in me.sent}

ApplyClaim(m) ==
  LET token == NextToken(m)
      r == Claimed(m, token)
  IN IF MayTake(m)
     THEN /\ Written(r) /\ AnsweredClaim(m, r)
          /\ highest' = IF row = None THEN token ELSE Max(highest, token)
          /\ untold' = LandsLate(m)
          /\ wrong' = wrong
               \cup (IF row # None /\ token <= highest THEN {"token"} ELSE {})
               \cup (IF token \in told[m.from] THEN {"former owner"} ELSE {})
               \cup (IF row # None /\ row.released /\ ~m.free THEN {"used up"} ELSE {})
          /\ events' = events
               \cup Happened("takeover", IsHeld(row) /\ row.owner # m.from)
               \cup Happened("taken from a released row", row # None /\ row.released)
               \cup Happened("landed late", LandsLate(m))
               \cup Happened("taken after a deletion", row = None /\ highest > 0)
     ELSE /\ AnsweredClaim(m, row) /\ UNCHANGED <<row, before, highest, untold, wrong, events>>

ApplyBeat(m) ==
  /\ Answered(m, MayBeat(m))
  /\ IF MayBeat(m) THEN Written([row EXCEPT !.version = m.version, !.lease = m.lease, !.wanted = NoOne])
                   ELSE UNCHANGED <<row, before>>
  /\ events' = events \cup Happened("lease made shorter", MayBeat(m) /\ m.lease < row.lease)
                      \cup Happened("mark seen", MayBeat(m) /\ row.wanted \notin {NoOne, {row.owner}})
  /\ UNCHANGED <<highest, untold, wrong>>

\* A write with an older token than one that was granted since.
Stale(m) == IF m.holder < highest THEN {"stale write"} ELSE {}

ApplyRelease(m) ==
  /\ Answered(m, MayRelease(m))
  /\ IF MayRelease(m)
     THEN /\ Written(Freed(m))
          /\ wrong' = wrong \cup (IF IsHeld(row) /\ row.grant # m.grant THEN {"freed another's"} ELSE {})
     ELSE UNCHANGED <<row, before, wrong>>
  /\ events' = events \cup Happened("late release refused", ~MayRelease(m) /\ IsHeld(row) /\ row.owner # m.from)
  /\ UNCHANGED <<highest, untold>>

\* The condition asks for owner and token, not for time. A write that is applied after the lease is
\* over, when no other client has taken the lock, is committed. That is right: the writer is still the
\* last owner, so that nothing of a later owner is overwritten, and a later owner reads what it wrote.
\* The moment of the takeover decides, and DynamoDB orders it against every guarded write.
ApplyGuarded(m) ==
  LET holds == /\ IsHeld(row) /\ row.owner = m.from
               /\ row.token = m.token \/ ~Rule("a guarded write asks for the token")
  IN /\ wrong' = wrong \cup (IF holds THEN Stale(m) ELSE {})
     /\ events' = events \cup Happened("written between expiry and takeover",
                                      holds /\ client[m.from].phase = "held" /\ ~Kept(m.from))
     /\ client' = IF holds /\ client[m.from].phase = "held" /\ Tokens > 1
                 THEN [client EXCEPT ![m.from].lease.guards = TRUE] ELSE client
     /\ UNCHANGED <<row, before, highest, untold>>

\* The row keeps its version, so that neither its holder nor who observes it sees another write.
ApplyMark(m) ==
  LET marked == [row EXCEPT !.wanted = {m.from},
                            !.version = IF Rule("a mark keeps the version") THEN @ ELSE m.renames]
  IN IF row # None
     THEN /\ Written(marked) /\ Replied(m, [ok |-> FALSE, row |-> marked])
          /\ UNCHANGED <<highest, untold, wrong, events>>
     ELSE Answered(m, FALSE) /\ UNCHANGED <<row, before, highest, untold, wrong, events>>

Apply(m) ==
  /\ CASE m.kind = "claim" -> ApplyClaim(m)
       [] m.kind = "beat" -> ApplyBeat(m)
       [] m.kind = "release" -> ApplyRelease(m)
       [] m.kind = "guarded" -> ApplyGuarded(m)
       [] m.kind = "mark" -> ApplyMark(m)
  /\ Underway(OneLess(m))
  /\ UNCHANGED <<handed, given, told, ran>>

Purge ==
  /\ Purges /\ row # None /\ row.released
  /\ Written(None) /\ UNCHANGED client /\ Underway(net)
  /\ UNCHANGED <<handed, given, told, ran, highest, untold, wrong, events>>

Hear(c) ==
  /\ \E reply \in client[c].reply :
       CASE client[c].phase = "acquiring" -> HearAcquiring(c, reply.row, IsWrite(client[c].call))
         [] client[c].phase = "settling" -> HearSettling(c, reply.row)
         [] client[c].phase = "held" -> HearHeld(c, reply)
         [] client[c].phase = "releasing" -> HearReleasing(c)
  /\ Sent(net) /\ UNCHANGED given

-----------------------------------------------------------------------------
Acts(c) ==
  \/ Adopt(c) \/ SendClaim(c) \/ Read(c) \/ SendMark(c) \/ GiveUp(c) \/ SendLook(c) \/ HearLook(c)
  \/ SettlingRelease(c)
  \/ Ask(c) \/ SendBeat(c) \/ Lapse(c) \/ SendRelease(c)
  \/ SendGuarded(c) \/ HandOn(c)
  \/ Detach(c) \/ ReleaseByToken(c)
  \/ Hear(c) \/ TimeOut(c) \/ StopAsking(c) \/ Crash(c)
Next == Tick \/ Purge \/ (\E c \in Clients : Acts(c)) \/ (\E m \in net : Apply(m))
Spec == Init /\ [][Next]_vars

\* What faults leave behind: a row that a crashed process holds, and calls of its on their way.
LeftBehind == [owner |-> CHOOSE c \in Clients : TRUE, version |-> 1, lease |-> Lease, released |-> FALSE,
               token |-> 1, grant |-> 1, tick |-> 0, wanted |-> NoOne]
LeftCalls ==
  LET c == LeftBehind.owner IN
  {Claim(c, 2, {}, TRUE, 0, FALSE),
   [kind |-> "beat", from |-> c, version |-> 3, on |-> {1}, lease |-> Lease, grant |-> 1, copies |-> 1],
   Freeing(c, 4, {1, 3}, FALSE, 1, 1)}
AfterFaults ==
  /\ Start /\ row \in {None, LeftBehind} /\ net \in SUBSET LeftCalls /\ given = 4 /\ highest = 1
FairSpec ==
  /\ AfterFaults /\ [][Next]_vars
  /\ SF_vars(Tick)
  /\ \A c \in Clients : WF_vars(Acts(c))
  /\ WF_vars(\E m \in net : Apply(m))

-----------------------------------------------------------------------------
(* What is promised *)

\* At most one client believes that it holds the lock.
MutualExclusion == \A a, b \in Clients : a # b => ~(Kept(a) /\ Kept(b))

\* Whoever believes that it holds the lock has it in the table, under the token of its claim.
Ownership ==
  \A c \in Clients : Kept(c) =>
    IsHeld(row) /\ row.owner = c /\ row.token = client[c].lease.shown /\ row.grant = client[c].lease.grant

\* Tokens strictly increase while the row exists, in the order in which DynamoDB applied the claims.
TokensIncrease == "token" \notin wrong

\* No row ever carries an owner and a token that the owner had before, which its guarded
\* writes would still ask for.
FormerOwnersAreKeptOut == "former owner" \notin wrong

\* No guarded write is committed under an older token than one that was granted since.
NoStaleWrite == "stale write" \notin wrong

\* A release frees the grant that it was sent for, or nothing.
ReleasesFreeTheirOwn == "freed another's" \notin wrong

\* What the end of a lease was told about is not held again.
LostStaysLost == \A c \in Clients : Kept(c) => ~client[c].lease.lost

\* For each tick, one client at most is granted the lock.
TicksRunOnce == "tick" \notin wrong

\* A version that was adopted and then freed takes nothing.
UsedUpTokensTakeNothing == "used up" \notin wrong

\* A lock that is held is known to its client, unless its claim landed when nobody looked for it,
\* or the client crashed, lost the lock, or got no answer when it freed it: then its lease ends it.
NoUntoldGrant ==
  IsHeld(row) /\ ~untold =>
    LET me == client[row.owner] IN
    \/ me.phase = "held" /\ me.lease.grant = row.grant
    \/ me.phase \in {"acquiring", "settling"} /\ row.grant \in me.open
    \/ me.phase = "releasing"

\* Whoever waits gets the lock in the end, once faults have stopped.
EveryWaiterIsServed == \A c \in Clients : <>(client[c].phase = "done")

\* Violated where what is watched can happen.
NothingWatchedHappens == events = {}

Symmetry == Permutations(Clients)
=============================================================================
