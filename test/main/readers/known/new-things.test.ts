import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readers } from '../../../../src/main/readers/index'
import { driftIn } from '../../../support/drift-in'
import { newThingsFor, putInto } from '../../../support/drift-plants'
import { hasSqlite3 } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')
const things = readers.flatMap(({ id }) => newThingsFor(id).map((thing) => ({ id, ...thing })))

it.each(things.filter((thing) => !('sql' in thing) || hasSqlite3))(
  '$id: a new $what, $name, is counted once, with the line that has it',
  async ({ id, ...thing }) => {
    const root = path.join(temp(), id)
    fs.cpSync(path.join(fixtures, id, 'input'), root, { recursive: true })
    const before = await driftIn(id, root)
    const line = putInto(root, thing)
    const { names, newer } = await driftIn(id, root)
    const news = names.filter(({ name }) => !before.names.some((one) => one.name === name))
    const version = newer && { what: 'version', name: newer.version, lines: 1, ...newer }
    const shown = path.join(root, thing.file)
    expect([...news, ...(version ? [version] : [])]).toMatchObject([
      {
        what: thing.what,
        name: thing.name,
        lines: 1,
        conversations: 1,
        place: { line, shown },
      },
    ])
  },
)
