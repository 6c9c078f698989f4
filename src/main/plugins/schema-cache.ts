import { schemaQuestion } from './protocol'
import type { Runner } from './runner'
import { parseSchema, type Schema } from './schema'

/** Cache of the schemas of plugins, by name and hash. */
export interface SchemaCache {
  /** Asks once, also where that fails. A string is the reason why there is no schema, in a sentence. */
  of(plugin: string, hash: string): Promise<Schema | string>
  /** Returns what is known without waiting; undefined while it is asked, or where it was not. */
  now(plugin: string, hash: string): Schema | string | undefined
  isAsked(plugin: string, hash: string): boolean
  /** Forgets a plugin, so that it is asked again the next time. */
  forget(plugin: string): void
}

interface AskedSchema {
  readonly plugin: string
  readonly answer: Promise<Schema | string>
  known?: Schema | string
}

/**
 * Returns an empty cache.
 *
 * @param changed called when a schema has become known
 */
export function openSchemaCache(runner: Runner, changed: () => void): SchemaCache {
  const asked = new Map<string, AskedSchema>()
  const keyOf = (plugin: string, hash: string) => `${hash} ${plugin}`

  async function ask(plugin: string): Promise<Schema | string> {
    const answer = await runner.ask(plugin, schemaQuestion)
    return answer.type === 'answered'
      ? parseSchema(answer.text)
      : `When Skein asked for its schema, it ${answer.problem}.`
  }

  return {
    of(plugin, hash) {
      const key = keyOf(plugin, hash)
      const before = asked.get(key)
      if (before !== undefined) return before.answer
      const one: AskedSchema = {
        plugin,
        answer: ask(plugin).then((known) => {
          one.known = known
          changed()
          return known
        }),
      }
      asked.set(key, one)
      return one.answer
    },
    now: (plugin, hash) => asked.get(keyOf(plugin, hash))?.known,
    isAsked(plugin, hash) {
      const one = asked.get(keyOf(plugin, hash))
      return one !== undefined && one.known === undefined
    },
    forget(plugin) {
      for (const [key, one] of asked) if (one.plugin === plugin) asked.delete(key)
    },
  }
}
