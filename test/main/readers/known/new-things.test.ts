import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readers } from '../../../../src/main/readers/index'
import { driftIn } from '../../../support/drift-in'
import { lineWith, plants, putInto } from '../../../support/drift-plants'
import { hasSqlite3 } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')

it('there is something new for each system that Skein reads', () => {
  expect(Object.keys(plants).sort()).toEqual(readers.map(({ id }) => id).sort())
  for (const [id, own] of Object.entries(plants)) expect(own.length, id).toBeGreaterThan(0)
})

const all = readers.flatMap(({ id }) => plants[id].map((plant) => ({ id, ...plant })))
const isHere = ({ change }: (typeof all)[number]) => typeof change !== 'string' || hasSqlite3

it.each(all.filter(isHere))(
  '$id: a new $what, $name, is counted once, with the line that has it',
  async ({ id, ...plant }) => {
    const root = path.join(temp(), id)
    fs.cpSync(path.join(fixtures, id, 'input'), root, { recursive: true })
    const before = await driftIn(id, root)
    putInto(root, plant)
    const { names, newer } = await driftIn(id, root)
    const isOld = ({ name }: { readonly name: string }) =>
      before.names.some((one) => one.name === name)
    const found = [
      ...names.filter((one) => !isOld(one)).map(({ lines: _, ...one }) => one),
      ...(newer === null
        ? []
        : [
            {
              what: 'version',
              name: newer.version,
              conversations: newer.conversations,
              place: newer.place,
            },
          ]),
    ]
    const file = path.join(root, plant.file)
    const line =
      plant.message ??
      (file.endsWith('.txt')
        ? 1
        : lineWith(file, Array.isArray(plant.change) ? plant.change[1] : ''))
    expect(found).toMatchObject([
      { what: plant.what, name: plant.name, conversations: 1, place: { line, shown: file } },
    ])
    expect(names.filter((one) => !isOld(one)).every(({ lines }) => lines === 1)).toBe(true)
  },
)
