import type { Entry } from '../../../shared/model/conversation/entry'
import type { NoteTexts } from '../../store/prompt-texts'
import { noHooks } from '../../tools/hooks/hooks'
import { promptMessages } from '../prompt/messages'
import { buildPrompt } from '../prompt/system-prompt'
import { usualFuel } from '../steps/fuel'
import type { LaterChanges, PromptEvidence } from './prompt-evidence'

/** The parts of a context's prompt as they are now; they match an earlier request where nobody changed them since. */
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

/** More are not tried: the difference is then something that no transcript has. */
const mostCandidates = 2000

/**
 * Yields the system messages that a request may have had, at most some 2,000, the likeliest first; '' is none. Texts
 * of the transcript come before those of the files.
 *
 * @param window as it was; an anchor at its beginning brings its summary
 * @param hasTools whether any were offered: the prompt has the fuel then
 */
export async function* systemCandidates(
  window: readonly Entry[],
  evidence: PromptEvidence,
  later: LaterChanges | undefined,
  now: CurrentPrompt,
  hasTools: boolean,
): AsyncGenerator<string, void> {
  const { notes } = now
  const seen = new Set<string>()
  const isNew = (text: string) => !seen.has(text) && seen.add(text)
  const signal = new AbortController().signal
  const noted = (name: 'todos' | 'goals' | 'reflection') =>
    distinct([...[...evidence.notes[name]].reverse(), notes[name], undefined])
  const replaced = later?.replacedSummary
  // A compaction that came later wrote what summary.md says now.
  const today = [notes.summary, undefined]
  const summaries = distinct([
    ...(replaced === undefined ? [] : [replaced]),
    ...evidence.summaries,
    ...(later?.isCompacted === true ? today.reverse() : today),
  ])
  const known = evidence.prompt ?? later?.replacedPrompt
  const prompts = [notes.systemPrompt, undefined]
  const choices = {
    prompt: distinct(known === undefined ? prompts : [known, ...prompts]),
    summary: summaries,
    todos: noted('todos'),
    username: distinct([evidence.username ?? now.username, now.username]),
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
    // It has the texts of plugins too, of the last run's turn.
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
