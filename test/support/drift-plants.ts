import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { SourceId } from '../../src/shared/model/conversation/sources'
import { writeDatabase } from './sqlite3'

/** A thing that a system newly writes, to be put into a copy of its fixture. */
const NewThing = z
  .object({
    what: z.enum(['field', 'type', 'version']),
    /** As it is counted; of a version the version. */
    name: z.string(),
    /** Below the fixture's input. */
    file: z.string(),
    /** The number of the line that has it, in a conversation that is read as messages; else the file itself tells. */
    message: z.int().optional(),
  })
  .and(
    z.union([
      /** A text of the file, of which the first is replaced. */
      z.object({ find: z.string(), put: z.string() }),
      /** Statements for a database. */
      z.object({ sql: z.string() }),
    ]),
  )
/** A thing that a system newly writes, to be put into a copy of its fixture. */
export type NewThing = z.infer<typeof NewThing>

const fixtures = path.resolve(import.meta.dirname, '../fixtures/readers')

/** Reads what is new beside a source's fixture. */
export function newThingsFor(id: SourceId): readonly NewThing[] {
  const text = fs.readFileSync(path.join(fixtures, id, 'new-things.json'), 'utf8')
  return z.array(NewThing).min(1).parse(JSON.parse(text))
}

/** Puts a thing into a copy of a fixture; returns the number of the line that has it. */
export function putInto(root: string, thing: NewThing): number {
  const target = path.join(root, thing.file)
  if ('sql' in thing) writeDatabase(target, `${thing.sql};`)
  else {
    const { find, put } = thing
    const text = fs.readFileSync(target, 'utf8')
    if (!text.includes(find)) throw new Error(`${thing.file} has no ${find}`)
    fs.writeFileSync(
      target,
      text.replace(find, () => put),
    )
    const before = text.slice(0, text.indexOf(find))
    // A page of text is one line.
    if (thing.message === undefined) return target.endsWith('.txt') ? 1 : before.split('\n').length
  }
  if (thing.message === undefined) throw new Error(`${thing.name}: no number of its line`)
  return thing.message
}
