import { schemaQuestion } from './protocol'
import type { Runner } from './runner'
import { parseSchema, type Schema } from './schema'

/** What plugins have said that they offer, by name and hash. */
export interface SchemaCache {
  /** Asks once, whatever it comes to. A string says, in a sentence, why there is none. */
  of(plugin: string, hash: string): Promise<Schema | string>
  /** What is known without waiting; undefined while it is asked, or where it was not. */
  now(plugin: string, hash: string): Schema | string | undefined
  isAsked(plugin: string, hash: string): boolean
  /** Has a plugin asked again the next time. */
  forget(plugin: string): void
}

interface AskedSchema {
  readonly plugin: string
  readonly answer: Promise<Schema | string>
  known?: Schema | string
}

/** @param told something is known now that was not */
export function openSchemaCache(runner: Runner, told: () => void): SchemaCache {
  const asked = new Map<string, AskedSchema>()
  const keyOf = (plugin: string, hash: string) => `${hash} ${plugin}`

  async function ask(plugin: string): Promise<Schema | string> {
    const said = await runner.ask(plugin, schemaQuestion)
    return said.type === 'said'
      ? parseSchema(said.text)
      : `When it was asked for its schema, it ${said.problem}.`
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
          told()
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
