import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import { Gap } from '../../../shared/model/conversation/reading'
import type { AnswerUsage } from '../../../shared/model/run/usage'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { SourceFact } from '../common/reader'
import type { ValueMeaning } from '../common/value-meaning'
import { codexLine } from './line'
import { plusUsage, UsageFollower } from './usage'

/**
 * Adds to the entries of a thread what other lines tell: the model that answers, the tool that a result is of, and the
 * tokens of an answer.
 */
export class ThreadFollower {
  private readonly usage = new UsageFollower()
  private readonly tools = new Map<string, string>()
  private model: string | undefined
  private counted: AnswerUsage | undefined

  /** Converts a line as `codexLine` does, and notes what it says of others. */
  readonly accept = (
    value: unknown,
    text: string,
    position: ValuePosition,
  ): ValueMeaning | string => {
    const meaning = codexLine(value, text, position)
    if (typeof meaning !== 'string' && isJsonObject(value)) this.note(value, meaning)
    return meaning
  }

  /** Passes on facts in their order; holds those after an answer until its tokens are known, or the next answer comes. */
  async *follow(facts: AsyncIterable<SourceFact | Gap>): AsyncGenerator<SourceFact | Gap> {
    let held: (SourceFact | Gap)[] = []
    for await (const fact of facts) {
      const known = fact instanceof Gap || fact.type !== 'entry' ? fact : this.named(fact)
      const weight = answerWeight(known)
      // The line of this fact was converted just now; what it counts is of an answer before it, of thoughts if nothing follows.
      const isGiven = weight < 2 || answerWeight(held[0]) > 1
      if (isGiven && this.counted !== undefined && this.give(held, this.counted)) {
        this.counted = undefined
        yield* held
        held = []
      }
      if (weight > 0 && weight >= answerWeight(held[0])) {
        yield* held
        held = [known]
      } else if (held.length > 0) held.push(known)
      else yield known
      if (held.length < mostHeld) continue
      yield* held
      held = []
    }
    yield* held
  }

  private give(held: (SourceFact | Gap)[], usage: AnswerUsage): boolean {
    const [answer] = held
    if (answer === undefined || answer instanceof Gap || answer.type !== 'entry') return false
    const { entry } = answer
    held[0] = { ...answer, entry: { ...entry, metadata: { ...entry.metadata, usage } } }
    return true
  }

  private note(line: JsonObject, meaning: ValueMeaning): void {
    const usage = this.usage.see(line)
    if (usage !== undefined) this.counted = plusUsage(this.counted, usage)
    if (meaning.type === 'control' && meaning.model !== undefined) this.model = meaning.model
  }

  private named({ entry }: { readonly entry: Entry }): SourceFact {
    return { type: 'entry', entry: this.known(entry) }
  }

  private known(entry: Entry): Entry {
    const { entry_type: type, tool_call_id: id } = entry
    if (type === 'tool_call' && id !== undefined) this.tools.set(id, entry.to)
    if (type === 'tool_result' && entry.from === 'tool')
      return { ...entry, from: (id === undefined ? undefined : this.tools.get(id)) ?? 'tool' }
    if (!isOfModel(entry) || this.model === undefined) return entry
    return { ...entry, metadata: { ...entry.metadata, model: this.model } }
  }
}

/** Facts held after an answer: more than come between it and its tokens. */
const mostHeld = 64

/** 3 for words, 2 for a call, 1 for thoughts, which may be all that came; else 0. */
function answerWeight(fact: SourceFact | Gap | undefined): 0 | 1 | 2 | 3 {
  if (fact === undefined || fact instanceof Gap || fact.type !== 'entry') return 0
  const { entry } = fact
  if (!isOfModel(entry)) return 0
  if (entry.entry_type === 'reasoning') return 1
  return entry.entry_type === 'tool_call' ? 2 : 3
}

/** Says whether an entry is of the thread's own model: words of another agent are of that one's. */
function isOfModel(entry: Entry): boolean {
  const { entry_type: type, from } = entry
  if (from !== 'codex') return false
  return type === 'reasoning' || type === 'tool_call' || speakerOf(entry) === 'agent'
}
