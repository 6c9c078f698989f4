import type { Entry } from '../../../shared/model/conversation/entry'
import type { NoteTexts } from '../../store/prompt-texts'
import { noHooks } from '../../tools/hooks/hooks'
import { promptMessages } from '../prompt/messages'
import { buildPrompt } from '../prompt/system-prompt'
import { usualFuel } from '../steps/fuel'
import type { LaterChanges, PromptEvidence } from './prompt-evidence'

/** What holds in a context now; of old requests it tells only what nobody changed since. */
export interface CurrentPrompt {
  readonly context: string
  readonly notes: NoteTexts
  readonly agents: string | undefined
  readonly username: string
  readonly fuel: number
  readonly isReflectionShown: boolean
  /** The whole system message of the last run, as context_meta.json has it. */
  readonly combined: string | undefined
}

/** More are not tried: what is different then is something that no transcript tells. */
const mostCandidates = 2000

/**
 * The system messages that a request may have had, the likeliest first; '' is none. What the transcript tells comes before
 * what the files say now.
 *
 * @param window as it was; an anchor that stands first brings its summary
 * @param hasTools whether any were offered: the fuel is told then
 */
export async function* systemCandidates(
  window: readonly Entry[],
  told: PromptEvidence,
  later: LaterChanges | undefined,
  now: CurrentPrompt,
  hasTools: boolean,
): AsyncGenerator<string, void> {
  const { notes } = now
  const seen = new Set<string>()
  const isNew = (text: string) => !seen.has(text) && seen.add(text)
  const signal = new AbortController().signal
  const noted = (name: 'todos' | 'goals' | 'reflection') =>
    distinct([...[...told.notes[name]].reverse(), notes[name], undefined])
  const replaced = later?.replacedSummary
  // A compaction that came later wrote what summary.md says now.
  const today = [notes.summary, undefined]
  const summaries = distinct([
    ...(replaced === undefined ? [] : [replaced]),
    ...told.summaries,
    ...(later?.isCompacted === true ? today.reverse() : today),
  ])
  const known = told.prompt ?? later?.replacedPrompt
  const prompts = [notes.systemPrompt, undefined]
  const choices = {
    prompt: distinct(known === undefined ? prompts : [known, ...prompts]),
    summary: summaries,
    todos: noted('todos'),
    username: distinct([told.username ?? now.username, now.username]),
    fuel: distinct(hasTools ? [now.fuel, usualFuel, 0] : [0]),
    goals: noted('goals'),
    reflection: distinct([...(now.isReflectionShown ? noted('reflection') : []), undefined]),
    agents: distinct([now.agents, undefined]),
  }
  let tried = 0
  for (const parts of combined(choices)) {
    // A long turn writes its notes often: the combinations of those are more than anybody can wait for.
    if (tried++ >= mostCandidates) return
    const prompt = await buildPrompt(parts, noHooks, now.context, signal)
    // Where the window's anchor has a summary, none at all would be replaced by that.
    const [message] = promptMessages(window, prompt)
    const text = message !== undefined && 'content' in message ? (message.content ?? '') : ''
    if (isNew(text)) yield text
    // All that plugins put around it stands there, of the last run's turn.
    if (seen.size === 1 && now.combined !== undefined && isNew(now.combined)) yield now.combined
  }
}

type Choices<T> = { readonly [K in keyof T]: readonly T[K][] }

/** Every combination; the first choice of each first, and the first key changes soonest. */
function* combined<T extends object>(choices: Choices<T>): Generator<T, void> {
  const names = Object.keys(choices) as (keyof T)[]
  const at = names.map(() => 0)
  for (;;) {
    yield Object.fromEntries(names.map((name, i) => [name, choices[name][at[i] ?? 0]])) as T
    let i = 0
    for (; i < names.length; i++) {
      const name = names[i]
      const next = (at[i] ?? 0) + 1
      if (name !== undefined && next < choices[name].length) {
        at[i] = next
        break
      }
      at[i] = 0
    }
    if (i === names.length) return
  }
}

/** Blank texts are none. */
function distinct<T extends string | number | undefined>(values: readonly T[]): readonly T[] {
  const known = values.map((value) =>
    typeof value === 'string' && value.trim() === '' ? undefined : value,
  )
  return [...new Set(known)] as T[]
}
