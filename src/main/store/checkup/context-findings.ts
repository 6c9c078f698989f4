import path from 'node:path'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { HomeFinding } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { readJson } from '../../disk/json/read-json'
import { readPendingCompaction } from '../context-window/pending-compaction'
import { type ContextPaths, contextPaths, homeRelativePath } from '../core/home-paths'
import { withContextFiles } from '../files/with-context-files'
import { readInbox } from '../inbox/inbox'
import { inspectLock, type LockInspection, lockPaths } from '../lock/lock-files'
import { type ContextScope, fileFindings, passingFindings } from './file-findings'
import { findingOf } from './finding-words'
import { type CheckupScope, claimLeft, temporaryLeft, unreadableAt } from './home-files'
import { windowFindings } from './window-findings'

/** The findings of a context. */
export interface ContextFindings {
  readonly findings: readonly HomeFinding[]
  /** Whether all was looked at: false where a part cannot be read, a program has it open, or it is gone. */
  readonly isWhole: boolean
}

/**
 * Finds what is wrong with one context; changes nothing. Reads each of its files once or twice. Of one that is gone by the end it finds
 * nothing.
 *
 * @throws the signal's reason
 */
export async function contextFindings(
  scope: ContextScope,
  name: string,
  signal: AbortSignal,
): Promise<ContextFindings> {
  const { disk, home } = scope
  const paths = contextPaths(home, name)
  let findings: HomeFinding[] = []
  let isWhole = true
  const tried = async (target: string, look: () => Promise<readonly HomeFinding[]>) => {
    signal.throwIfAborted()
    try {
      findings.push(...(await look()))
    } catch (error) {
      signal.throwIfAborted()
      isWhole = false
      findings.push(unreadableAt(home, target, error, name))
    }
  }
  let isHeld = await lookInside(scope, paths, tried, signal)
  // A program took it while it was looked at: what was found may be what that has in its hands.
  if (!isHeld && findings.length > 0 && (await isHeldNow(scope, paths))) {
    findings = []
    isWhole = true
    isHeld = await lookInside(scope, paths, tried, signal)
  }
  // It was deleted or got another name meanwhile: what was found has no place any more.
  if (!isWhole && (await isGone(disk, paths))) return { findings: [], isWhole }
  return { findings, isWhole: isWhole && !isHeld }
}

async function isHeldNow(scope: CheckupScope, { folder }: ContextPaths): Promise<boolean> {
  const { disk, now, heartbeatSeconds } = scope
  const lock = await inspectLock({ disk, folder, now, heartbeatSeconds }).catch(() => undefined)
  return lock?.type === 'held'
}

async function isGone(disk: Disk, { folder }: ContextPaths): Promise<boolean> {
  const stat = await disk.stat(folder).catch(() => 'refused' as const)
  return stat !== 'refused' && stat?.kind !== 'directory'
}

/** Resolves to true where another program has it open, which leaves out what that has in its hands. */
async function lookInside(
  scope: ContextScope,
  paths: ContextPaths,
  tried: (target: string, look: () => Promise<readonly HomeFinding[]>) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const { disk, home, now, heartbeatSeconds } = scope
  const { name } = paths
  const lock: LockInspection[] = []
  await tried(lockPaths(paths.folder).lock, async () => {
    lock.push(await inspectLock({ disk, folder: paths.folder, now, heartbeatSeconds }))
    return lock.flatMap((one) => lockFindings(one, home, paths))
  })
  // What a writer has in its hands is no damage: it is done with it in a moment.
  const isHeld = lock.some(({ type }) => type === 'held')
  await tried(paths.transcript, () =>
    withContextFiles({ disk, home, name }, async (found) => [
      ...(await fileFindings(scope, paths, found, isHeld, signal)),
      ...(isHeld ? [] : passingFindings(home, paths, found)),
      ...(isHeld ? [] : await windowFindings(scope, paths, found, signal)),
    ]),
  )
  await tried(path.join(paths.folder, 'inbox.jsonl'), () => inboxFindings(disk, home, paths))
  await tried(paths.meta, () => metaFindings(disk, home, paths))
  if (isHeld) return true
  await tried(paths.partial, async () =>
    (await disk.stat(paths.partial)) === undefined
      ? []
      : [
          findingOf({
            kind: 'answer-interrupted',
            place: homeRelativePath(home, paths.partial),
            context: name,
            happened: 'A program ended while an answer came in.',
          }),
        ],
  )
  await tried(paths.folder, async () =>
    (await readPendingCompaction({ disk, paths })) === undefined
      ? []
      : [
          findingOf({
            kind: 'compaction-unfinished',
            place: homeRelativePath(home, path.join(paths.folder, 'compacting.skein.json')),
            context: name,
            happened: 'A program ended while it summarized earlier messages.',
          }),
        ],
  )
  await tried(paths.folder, () => claimLeft(scope, lockPaths(paths.folder).gate, name))
  for (const folder of [paths.folder, paths.transcript, paths.partitions])
    await tried(folder, () => temporaryLeft(scope, folder, name))
  return false
}

function lockFindings(
  lock: LockInspection,
  home: string,
  paths: ContextPaths,
): readonly HomeFinding[] {
  const place = homeRelativePath(home, lockPaths(paths.folder).lock)
  const context = paths.name
  if (lock.type === 'blocked')
    return [
      findingOf({
        kind: 'lock-blocked',
        place,
        context,
        happened: `What has the lock's name is ${lock.by}, and no lock. Delete it where nothing writes.`,
      }),
    ]
  if (lock.type === 'held' && lock.isAhead)
    return [
      findingOf({
        kind: 'lock-ahead',
        place,
        context,
        happened: `The lock's time lies ahead of this clock. Delete it where nothing writes.`,
      }),
    ]
  if (lock.type !== 'stale') return []
  return [
    findingOf({
      kind: 'lock-left',
      place,
      context,
      happened: lock.mayWake
        ? 'A program took the lock, has not renewed it for too long, and may only sleep.'
        : 'A program that has ended left its lock.',
      // A sleeper may wake and go on: who writes next has to know that, and a repair is nobody who writes.
      ...(lock.mayWake ? { repair: null } : {}),
    }),
  ]
}

async function inboxFindings(
  disk: Disk,
  home: string,
  paths: ContextPaths,
): Promise<readonly HomeFinding[]> {
  const { inboxDamaged } = await readInbox(disk, paths)
  if (inboxDamaged === 0) return []
  return [
    findingOf({
      kind: 'inbox-damaged',
      place: homeRelativePath(home, path.join(paths.folder, 'inbox.jsonl')),
      context: paths.name,
      happened: `${countWithNoun(inboxDamaged, 'line')} of the inbox ${plural(inboxDamaged, 'is no message', 'are no messages')}.`,
    }),
  ]
}

async function metaFindings(
  disk: Disk,
  home: string,
  paths: ContextPaths,
): Promise<readonly HomeFinding[]> {
  if ((await readJson(disk, paths.meta)) !== 'damaged') return []
  return [
    findingOf({
      kind: 'meta-damaged',
      place: homeRelativePath(home, paths.meta),
      context: paths.name,
      happened: 'context_meta.json is no JSON.',
    }),
  ]
}
