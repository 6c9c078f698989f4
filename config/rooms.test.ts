import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { houseFaults, readHouse } from './rooms'

const root = path.resolve(import.meta.dirname, '..')

it('every room has doors, sub-rooms where it is large, and names that stand once', async () => {
  const house = await readHouse(root)

  expect(houseFaults(house)).toEqual([])
  // A tree that could not be read has no faults either.
  expect(house.files.size).toBeGreaterThan(1000)
  expect(house.imports.length).toBeGreaterThan(3000)
})

const room = (name: string, doors: readonly string[] = [], subRooms: readonly string[] = []) =>
  [
    `# ${name}\n`,
    'Keeps things.\n',
    '## Doors\n',
    ...doors.map((door) => `- \`${door}\`: things`),
    '\n## Sub-rooms\n',
    ...subRooms.map((folder) => `- \`${folder}/\`: more things`),
    '\n## What always holds\n\n- `other.ts` is no door.\n',
  ].join('\n')

/** A house of these files; each text's imports are the paths that it names. */
function house(texts: Readonly<Record<string, string>>) {
  const files = new Map(Object.entries(texts))
  const imports = [...files].flatMap(([from, text]) =>
    [...text.matchAll(/from '([^']+)'/g)].map(([, to = '']) => ({ from, to })),
  )
  return { files, imports }
}

const right = {
  'main/store/ROOM.md': room('main/store', ['store.ts'], ['lines']),
  'main/store/store.ts':
    "export function openStore() {}\nimport 'a' from 'main/store/lines/line.ts'",
  'main/store/lines/line.ts': 'export interface Line {}',
  'main/llm/ROOM.md': room('main/llm'),
  'main/llm/run.ts': "import { openStore } from 'main/store/store.ts'",
  'main/index.ts': "import { openStore } from 'main/store/store.ts'",
}

it('a tidy house has no fault', () => {
  expect(houseFaults(house(right))).toEqual([])
})

describe('a house is at fault where', () => {
  it.each<[what: string, planted: Readonly<Record<string, string>>, fault: string]>([
    [
      'a folder is crowded',
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`main/llm/part-${i}.ts`, ''])),
      'main/llm has 22 files; 20 at most, then sub-rooms',
    ],
    [
      'a sub-room is crowded',
      Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`main/store/lines/part-${i}.css`, '']),
      ),
      'main/store/lines has 21 files; 20 at most, then sub-rooms',
    ],
    ['a room has no ROOM.md', { 'shared/model/entry.ts': '' }, 'shared/model has no ROOM.md'],
    [
      'ROOM.md is of another room',
      { 'main/llm/ROOM.md': room('main/library') },
      'main/llm/ROOM.md does not begin with “# main/llm”',
    ],
    [
      'an outsider goes through the wall',
      {
        'cli/list.ts': "import { Line } from 'main/store/lines/line.ts'",
        'cli/ROOM.md': room('cli'),
      },
      'main/store/lines/line.ts is imported from outside and is no door',
    ],
    [
      'the composition root goes through the wall',
      {
        'main/index.ts': "import 'x' from 'main/store/store.ts'\nimport 'y' from 'main/llm/run.ts'",
      },
      'main/llm/run.ts is imported from outside and is no door',
    ],
    [
      'a door is used by nobody',
      { 'main/llm/ROOM.md': room('main/llm', ['run.ts']) },
      'main/llm/ROOM.md names the door run.ts, which no other room imports',
    ],
    [
      'a sub-room is not told',
      { 'main/llm/steps/step.ts': '' },
      'main/llm/ROOM.md does not name its sub-room steps',
    ],
    [
      'a star names the sub-rooms, and not what is below one',
      {
        'main/llm/ROOM.md': room('main/llm', [], ['*']),
        'main/llm/steps/step.ts': '',
        'main/llm/steps/small/step.ts': '',
      },
      'main/llm/ROOM.md does not name its sub-room steps/small',
    ],
    [
      'a sub-room is gone',
      { 'main/llm/ROOM.md': room('main/llm', [], ['steps']) },
      'main/llm/ROOM.md names the sub-room steps, which is not there',
    ],
    [
      'two folders of a room import each other',
      {
        'main/store/ROOM.md': room('main/store', ['store.ts'], ['lines', 'lock']),
        'main/store/lock/lock.ts': "import 'a' from 'main/store/lines/line.ts'",
        'main/store/lines/line.ts': "import type 'a' from 'main/store/lock/lock.ts'",
      },
      'main/store/lines imports a folder that leads back to it',
    ],
    [
      'a sub-room climbs to its room',
      {
        'main/store/lines/line.ts': "import 'a' from 'main/store/errors.ts'",
        'main/store/errors.ts': '',
      },
      'main/store/lines/line.ts climbs to main/store/errors.ts',
    ],
    [
      'two files export one name',
      { 'main/llm/line.ts': 'export type Line = string' },
      'Line is exported by main/llm/line.ts and main/store/lines/line.ts',
    ],
    [
      'two files export one name, among several of a statement',
      { 'main/llm/line.ts': 'export const a = 1, openStore = 2' },
      'openStore is exported by main/llm/line.ts and main/store/store.ts',
    ],
  ])('%s', (_what, planted, fault) => {
    expect(houseFaults(house({ ...right, ...planted }))).toContain(fault)
  })

  it('and not where a file passes on what another declares', () => {
    const passed = { 'main/store/store.ts': "export { Line } from 'main/store/lines/line.ts'" }

    expect(houseFaults(house({ ...right, ...passed }))).toEqual([])
  })
})
