import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readers } from '../../../src/main/readers/index'
import { SourceId } from '../../../src/shared/model/conversation/sources'

/** Every step of docs/adding-a-reader.md: what it leaves, so that a system whose steps were not all taken is named here. */
const root = path.resolve(import.meta.dirname, '../../..')
const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const isThere = (file: string) => fs.existsSync(path.join(root, file))

/** Files that have a line for each system. */
const shared = {
  ids: 'src/shared/model/conversation/sources.ts',
  registry: 'src/main/readers/index.ts',
  signs: 'src/renderer/ui/controls/SourceMark.tsx',
  pages: 'docs/sources/README.md',
  changes: 'CHANGELOG.md',
}

const recipe = textOf('docs/adding-a-reader.md')
const pages = textOf(shared.pages)
const signs = textOf(shared.signs)
const spelled = (id: string) => (/^\w+$/.test(id) ? `  ${id}: {` : `  '${id}': {`)

it('the recipe names each file that has a line for every system, and there are five', () => {
  expect(Object.keys(shared)).toHaveLength(5)
  for (const file of Object.values(shared)) expect(recipe, file).toContain(`\`${file}\``)
  expect(recipe).toContain('Five: the three lines, the row and the line in `CHANGELOG.md`.')
})

it('each system has a reader, and each reader is of a system', () => {
  expect(readers.map(({ id }) => id).sort()).toEqual([...SourceId.options].sort())
})

it.each(readers.map(({ id }) => id))('all steps were taken for %s', (id) => {
  expect(isThere(`docs/sources/${id}.md`), 'its page').toBe(true)
  expect(pages, 'its row in the list of pages').toContain(`| \`${id}\` | `)
  expect(pages).toContain(`](${id}.md)`)
  expect(signs, 'its sign').toContain(spelled(id))
  for (const file of ['input', 'expected.jsonl', 'new-things.json'])
    expect(isThere(`test/fixtures/readers/${id}/${file}`), `its ${file}`).toBe(true)
  // The store has the tests of chibi's.
  const folder = id === 'chibi' ? 'src/main/readers/chibi.ts' : `src/main/readers/${id}/known.ts`
  const elsewhere = {
    cursor: 'cursor/lines',
    opencode: 'opencode/lines',
    openclaw: 'common/pi-form',
  }
  const table = Object.entries(elsewhere).find(([one]) => one === id)?.[1]
  const file = table === undefined ? folder : `src/main/readers/${table}/known.ts`
  expect(isThere(file), `its table: ${file}`).toBe(true)
})
