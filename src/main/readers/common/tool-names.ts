import type { NamelessEntry, ValueMeaning } from './value-meaning'

/**
 * Creates a function that gives results the name of the tool that was called under their id, further up in the file.
 * Takes the meanings of a file in order. Holds the ids and names of all calls.
 *
 * @param unnamed what results are from where their line does not name the tool
 */
export function toolNamer(unnamed: string): <T extends ValueMeaning>(meaning: T) => T {
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
