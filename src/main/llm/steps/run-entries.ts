import type { EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import type { KeptImage } from '../../../shared/model/conversation/images'
import type { RunEvent, RunFailure } from '../../../shared/model/run/run'
import type { ChangedPrompt } from '../../store/prompt-texts'
import type { AppendedEntry } from '../../store/store'
import type { Clock } from '../timing/clock'

/** Returns the entry of a user message. */
export function messageEntry(
  text: string,
  facts: {
    readonly id: EntryId
    readonly username: string
    readonly context: string
    readonly timestamp: number
    readonly images?: readonly KeptImage[]
  },
): EntryDraft {
  const { images = [] } = facts
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: facts.username,
    to: facts.context,
    content: text,
    entry_type: 'message',
    ...(images.length === 0 ? {} : { metadata: { images } }),
    role: 'user',
  }
}

/**
 * Returns the entry of a new prompt of the context or its home, as chibi writes it: in the transcript, and in no
 * window.
 */
export function promptChangedEntry(
  { prompt, before }: ChangedPrompt,
  facts: { readonly id: EntryId; readonly context: string; readonly timestamp: number },
): EntryDraft {
  return {
    id: facts.id,
    timestamp: facts.timestamp,
    from: 'system',
    to: facts.context,
    content: prompt,
    entry_type: 'system_prompt_changed',
    // Kept nowhere else: it is the prompt of the answers before.
    ...(before === undefined ? {} : { metadata: { replaced_prompt: before } }),
  }
}

/** Returns the event of an entry that is durable. */
export function appendedEvent({ entry }: AppendedEntry): RunEvent {
  return { type: 'appended', row: { type: 'entry', entry } }
}

/** Returns the event of a run's end. */
export function endedEvent(
  outcome: 'complete' | 'stopped' | 'failed',
  failure?: RunFailure | undefined,
  isUnfinished = false,
): RunEvent {
  return {
    type: 'ended',
    outcome,
    ...(isUnfinished ? { unfinished: true } : {}),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** Returns the clock's time as entries have it: Unix seconds, rounded down. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
