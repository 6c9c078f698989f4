import { isJsonObject } from '../../../shared/model/basics/json-object'
import { Gap } from '../../../shared/model/conversation/reading'
import type { AcceptValue } from '../../disk/json/json-accept'
import type { Fields } from '../common/drafts'
import type { SourceFact } from '../common/reader'
import type { ValueMeaning } from '../common/value-meaning'

/** So many facts wait at most for the tokens of the answer that they are behind. */
const mostHeld = 200
const answerTypes: ReadonlySet<string> = new Set(['message', 'reasoning', 'tool_call'])

type Fact = SourceFact | Gap

/** Adds to the answers of a session what other lines tell: the model, and at the end of a step its tokens. */
export class StepFollower {
  private model: string | undefined
  private recorded: Fields | undefined
  private counted: Fields | undefined

  /** Returns the same conversion, which notes what lines say of others. */
  accept(inner: AcceptValue<ValueMeaning>): AcceptValue<ValueMeaning> {
    return (value, text, position) => {
      const meaning = inner(value, text, position)
      if (typeof meaning !== 'string' && isJsonObject(value)) this.note(value)
      return meaning
    }
  }

  /** Passes on facts in their order; holds those from the first of a step's answer on until its tokens are known. */
  async *follow(facts: AsyncIterable<Fact>): AsyncGenerator<Fact> {
    let held: Fact[] = []
    for await (const fact of facts) {
      const { counted } = this
      if (counted !== undefined) {
        const [first, ...others] = held
        if (first !== undefined) yield withMetadata(first, { usage: counted })
        yield* others
        held = []
        this.counted = undefined
      }
      const isAnswer = isAnswerFact(fact)
      const named =
        isAnswer && this.model !== undefined ? withMetadata(fact, { model: this.model }) : fact
      if (held.length > 0 || isAnswer) held.push(named)
      else yield named
      if (held.length < mostHeld) continue
      yield* held
      held = []
    }
    yield* held
  }

  /** `usage.record` repeats what the end of the step says, where that says it. */
  private note(record: Fields): void {
    const { type, event, usage, model, modelAlias } = record
    if (type === 'llm.request' && typeof model === 'string') this.model = model
    else if (typeof modelAlias === 'string') this.model ??= modelAlias
    if (type === 'usage.record' && record.usageScope !== 'session') this.recorded = usageOf(usage)
    if (type !== 'context.append_loop_event' || !isJsonObject(event)) return
    if (event.type === 'step.begin') this.counted = undefined
    if (event.type !== 'step.end') return
    this.counted = usageOf(event.usage) ?? this.recorded
    this.recorded = undefined
  }
}

function isAnswerFact(fact: Fact): boolean {
  if (fact instanceof Gap || fact.type !== 'entry') return false
  const { entry } = fact
  return entry.from === 'kimi' && entry.role !== 'user' && answerTypes.has(entry.entry_type)
}

function withMetadata(fact: Fact, more: Fields): Fact {
  if (fact instanceof Gap || fact.type !== 'entry') return fact
  return { type: 'entry', entry: { ...fact.entry, metadata: { ...fact.entry.metadata, ...more } } }
}

/** Tokens that went to the cache and came from it were sent too; Kimi counts them apart. */
function usageOf(usage: unknown): Fields | undefined {
  if (!isJsonObject(usage)) return undefined
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)
  const cached = count(usage.inputCacheRead)
  const input = count(usage.inputOther) + cached + count(usage.inputCacheCreation)
  const output = count(usage.output)
  return input + output === 0 ? undefined : { input, cached, output }
}
