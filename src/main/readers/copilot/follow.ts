import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Gap } from '../../../shared/model/conversation/reading'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { SourceFact } from '../common/reader'
import type { ValueMeaning } from '../common/value-meaning'
import { copilotLine } from './line'

/**
 * Adds to the entries of a session what earlier ones tell: the tool that a result is of. Thoughts that came in an event of
 * their own are not repeated with the words that follow.
 */
export class SessionFollower {
  private readonly tools = new Map<string, string>()
  /** Since the last words. */
  private thoughts = new Set<string>()

  /** Converts a line as `copilotLine` does. */
  readonly accept = (
    value: unknown,
    text: string,
    position: ValuePosition,
  ): ValueMeaning | string => copilotLine(value, text, position)

  async *follow(facts: AsyncIterable<SourceFact | Gap>): AsyncGenerator<SourceFact | Gap> {
    for await (const fact of facts)
      if (fact instanceof Gap || fact.type !== 'entry') yield fact
      else yield { type: 'entry', entry: this.known(fact.entry) }
  }

  private known(entry: Entry): Entry {
    const { entry_type: type, tool_call_id: id, metadata } = entry
    if (type === 'reasoning') this.thoughts.add(entry.content)
    if (type === 'tool_call' && id !== undefined) this.tools.set(id, entry.to)
    if (type === 'tool_result' && id !== undefined)
      return { ...entry, from: this.tools.get(id) ?? entry.from }
    const thought = metadata?.reasoning
    if (typeof thought !== 'string' || !isJsonObject(metadata)) return entry
    const isRepeated = this.thoughts.has(thought)
    this.thoughts = new Set()
    if (!isRepeated) return entry
    const { reasoning: _, ...others } = metadata
    return { ...entry, metadata: others }
  }
}
