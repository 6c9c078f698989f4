import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { RunId } from '../../shared/model/run/run'
import type { HomeEvents } from '../home/home'

/** A notification of the system about a conversation. */
export interface SystemNotice {
  /** The conversation's title, in one line of at most 100 characters: a model's words or a person's. */
  readonly title: string
  /** Our own words. */
  readonly body: string
  readonly key: LibraryKey
}

/** Dependencies of the system's notifications. */
export interface SystemNoticesDeps {
  /** Whether another program's window is in front. */
  readonly isBehind: () => boolean
  /** Whether the person wants them. */
  readonly isWanted: () => Promise<boolean>
  readonly titleOf: (key: LibraryKey) => Promise<string | undefined>
  readonly show: (notice: SystemNotice) => void
  /** In milliseconds. */
  readonly now: () => number
}

/** A run that took less has just been started by who is still near. */
const longRunMs = 10_000

/**
 * Notifies a person who looks elsewhere: when a long run has ended by itself, and when a tool waits for approval. Nothing of
 * what was said is in a notification, which others may see.
 */
export function openSystemNotices(
  deps: SystemNoticesDeps,
): Pick<HomeEvents, 'runChanged' | 'approvalAsked'> {
  const startedAt = new Map<RunId, number>()

  async function notify(key: LibraryKey, body: string): Promise<void> {
    if (!deps.isBehind() || !(await deps.isWanted())) return
    const title = shownTitle((await deps.titleOf(key)) ?? 'Skein')
    // Who has come back meanwhile sees it.
    if (deps.isBehind()) deps.show({ title, body, key })
  }

  return {
    runChanged({ runId, key, phase, unfinished }) {
      const started = startedAt.get(runId) ?? deps.now()
      const hasEnded = phase === 'complete' || phase === 'failed' || phase === 'stopped'
      if (!hasEnded) return void startedAt.set(runId, started)
      startedAt.delete(runId)
      if (phase === 'stopped' || deps.now() - started < longRunMs) return
      const body = endingWords(phase, unfinished === true)
      // Neither settings nor a title that cannot be read make a fault of it.
      void notify(key, body).catch(() => undefined)
    },
    approvalAsked({ key }) {
      void notify(key, 'A tool waits for your approval.').catch(() => undefined)
    },
  }
}

function endingWords(phase: 'complete' | 'failed', isUnfinished: boolean): string {
  if (isUnfinished) return 'The answer ended early.'
  return phase === 'complete' ? 'The answer is complete.' : 'The answer failed.'
}

/** Systems show whatever they get: a title of a megabyte, its line feeds, and what turns the direction of the words. */
function shownTitle(title: string): string {
  const line = visibleText(title.slice(0, 10 * longestTitle))
    .replace(/\s+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= longestTitle
    ? line
    : `${characters.slice(0, longestTitle - 1).join('')}…`
}

/** In characters. */
const longestTitle = 100
