import type { AcceptValue } from '../../disk/json/json-accept'
import type { NamelessEntry, ValueMeaning } from './value-meaning'

/** Name that results are from where their line does not name the tool. */
export const namelessTool = 'tool'

/**
 * Returns a decoder for the values of one file, in their order, which gives results the name of the tool that was called
 * under their id further up. Holds the ids and names of all calls.
 *
 * @param unnamed what results are from where their line does not name the tool
 */
export function withToolNames(
  accept: AcceptValue<ValueMeaning>,
  unnamed: string,
): AcceptValue<ValueMeaning> {
  const nameResults = toolNamer(unnamed)
  return (value, text, position) => {
    const meaning = accept(value, text, position)
    return typeof meaning === 'string' ? meaning : nameResults(meaning)
  }
}

function toolNamer(unnamed: string): (meaning: ValueMeaning) => ValueMeaning {
  const names = new Map<string, string>()
  const named = (entry: NamelessEntry): NamelessEntry => {
    const { entry_type, tool_call_id: id } = entry
    if (id === undefined) return entry
    if (entry_type === 'tool_call') names.set(id, entry.to)
    const name = entry_type === 'tool_result' && entry.from === unnamed ? names.get(id) : undefined
    return name === undefined ? entry : { ...entry, from: name }
  }
  return (meaning) =>
    meaning.type === 'control' ? meaning : { ...meaning, entries: meaning.entries.map(named) }
}
