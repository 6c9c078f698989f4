import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { differences, parseShape, type Shape } from './json-shapes'
import { people } from './person'

const page = fs.readFileSync(
  path.resolve(import.meta.dirname, '../../../docs/command-line.md'),
  'utf8',
)
const fixtures = path.resolve(import.meta.dirname, '../../fixtures')
const [, section = ''] = page.split('\n## What scripts may rely on\n')
const [ofShapes = '', ofCommands = ''] = section.split('\nWhat each command prints:\n')

/** The cells of a table's rows. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

/** The shape that a cell begins with; undefined for one that has words alone. */
function shapeIn(cell: string): Shape | undefined {
  const text = /^`(\{.*?\})`/.exec(cell)?.[1]
  return text === undefined ? undefined : parseShape(text)
}

const named = new Map(
  rowsOf(ofShapes).map(([, name = '', cell = '']) => {
    const shape = shapeIn(cell)
    if (shape === undefined) throw new Error(`${name} has no shape`)
    return [name, shape] as const
  }),
)
const rows = rowsOf(ofCommands).map(([, command = '', more = '', cell = '']) => ({
  name: `${command} ${more}`.replaceAll('`', '').trim(),
  shape: shapeIn(cell),
}))

/** What is run for each row that has a shape; several lines have what one alone does not. */
const lines: Readonly<Record<string, readonly string[]>> = {
  sources: ['sources', 'sources --check'],
  import: ['import "$EXPORT"'],
  backup: ['backup', 'backup on claude-code="$CLAUDE"'],
  'backup check': ['backup check'],
  'snapshot take': ['snapshot take .'],
  'snapshot check': ['snapshot check skein-*.zip'],
  'snapshot restore': ['snapshot restore skein-*.zip restored'],
  list: ['list', 'list --messages --branches --stats'],
  search: [
    'search tulips',
    'search the --group --context 1',
    'search -r t.lips',
    'search role:nobody',
  ],
  'search --facets': ['search tulips --facets', 'search the role:user --facets'],
  show: ['show garden', 'show garden --window'],
  'show --as-model': ['show mira@example.org --as-model --root fluux="$FLUUX"'],
  'show --sent': ['show garden --sent "$ANSWER"'],
  stats: ['stats', 'stats garden'],
  duplicates: ['duplicates --older-than 1'],
  branches: ['branches', 'branches garden'],
  compare: [
    'compare garden chat-history-1754437000000',
    'compare garden@"$ANSWER" garden@"$FIRST"',
  ],
  read: ['read'],
  verify: ['verify'],
  doctor: ['doctor', 'doctor --repair'],
  label: ['label', 'label garden'],
  'export several': ['export --all --format csv -o folder'],
  resume: ['resume claude-code:"$SESSION" --root claude-code="$CLAUDE"'],
  ask: ['ask -C garden Hello'],
  contexts: ['contexts'],
  compact: ['compact garden --mode drop'],
  inspect: ['inspect garden', 'inspect garden model'],
  tool: ['tool -C garden'],
  'tool TOOL': [`tool -C garden update_todos '{"content":"- water"}'`],
  plugins: ['plugins'],
  'plugins look': ['plugins look rain'],
  prompts: ['prompts'],
  'prompts NAME': ['prompts review'],
}
const { furnished } = people()

it('the table names each command, and each of its shapes is tried', async () => {
  const { one } = await furnished()
  const { stdout } = await one.sh('skein --help')
  const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map(([, name]) => name)
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((name) => !rows.some((row) => row.name.split(' ')[0] === name))).toEqual(
    [],
  )
  const shaped = rows.filter(({ shape }) => shape !== undefined).map(({ name }) => name)
  expect(shaped).toEqual(Object.keys(lines))
})

it('each command prints the JSON that docs/command-line.md shows, no key more and none less', async () => {
  const { one, known } = await furnished()
  await one.sh('skein contexts tag garden spring')
  await one.sh('skein contexts title garden "Two beds"')
  const [first] = JSON.parse((await one.sh('skein show garden --json')).stdout).entries
  await one.sh(`skein label garden ${first.id} plan`)
  const variables = {
    ...known,
    FIRST: first.id,
    FLUUX: path.join(fixtures, 'readers/fluux/input'),
    CLAUDE: path.join(fixtures, 'readers/claude-code/input'),
    SESSION: '5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f',
    EXPORT: path.join(fixtures, 'readers/chatgpt/input/later.zip'),
  }
  const found: string[] = []
  for (const { name, shape } of rows) {
    if (shape === undefined) continue
    for (const line of lines[name] ?? []) {
      // What could not be read makes the exit code 1; what is printed counts.
      const { stdout } = await one
        .sh(`skein ${line} --json`, variables)
        .catch((failed: { readonly stdout: string }) => failed)
      found.push(...differences(JSON.parse(stdout), shape, named, line))
    }
  }
  expect([...new Set(found)]).toEqual([])
})

it('a key that is absent, unknown or of another type is a difference', () => {
  const shape = parseShape('{a: number, b?: [{c: text}], d: {e} or null, NAME: boolean}')
  const of = (value: unknown) => differences(value, shape, new Map())
  expect(of({ a: 1, d: null })).toEqual([])
  expect(of({ a: 1, b: [{ c: 'x' }], d: { e: [] }, more: true })).toEqual([])
  expect(of({ a: '1', b: [{}], d: {}, more: 1 })).toEqual([
    '.a: no number',
    '.b[].c: absent',
    '.d.e: absent',
    '.more: no boolean',
  ])
})
