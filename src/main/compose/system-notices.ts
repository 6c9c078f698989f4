import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { RunId } from '../../shared/model/run/run'
import type { HomeEvents } from '../home/home'

/** A notification of the system about a conversation. */
export interface SystemNotice {
  /** The conversation's title: a model's words or a person's. */
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
    const title = (await deps.titleOf(key)) ?? 'Skein'
    // Who has come back meanwhile sees it.
    if (deps.isBehind()) deps.show({ title, body, key })
  }

  return {
    runChanged({ runId, key, phase, unfinished }) {
      const started = startedAt.get(runId) ?? deps.now()
      const words = endings[phase]
      if (words === undefined) return void startedAt.set(runId, started)
      startedAt.delete(runId)
      if (phase === 'stopped' || deps.now() - started < longRunMs) return
      const body = unfinished ? 'The answer ended early.' : words
      // Neither settings nor a title that cannot be read make a fault of it.
      void notify(key, body).catch(() => undefined)
    },
    approvalAsked({ key }) {
      void notify(key, 'A tool waits for your approval.').catch(() => undefined)
    },
  }
}

const endings: Readonly<Record<string, string | undefined>> = {
  complete: 'The answer is complete.',
  failed: 'The answer failed.',
  stopped: 'Stopped.',
}
