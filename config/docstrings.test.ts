import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { docstringFaults } from './docstrings'

const src = path.resolve(import.meta.dirname, '..', 'src')

it('every exported function, type and value has a docstring that begins with its verb or noun', () => {
  const files = fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))

  expect(
    files.flatMap((file) => docstringFaults(file, fs.readFileSync(path.join(src, file), 'utf8'))),
  ).toEqual([])
  expect(files.length).toBeGreaterThan(900)
})

it.each<[what: string, file: string, code: string, faults: readonly string[]]>([
  ['none', 'a.ts', 'export const a = 1', ['a.ts a has no docstring']],
  [
    'a comment that is none',
    'a.ts',
    '// Reads.\nexport function a() {}',
    ['a.ts a has no docstring'],
  ],
  ['a function by its verb', 'a.ts', '/** Reads a line. */\nexport function a() {}', []],
  [
    'a function by a noun',
    'a.ts',
    '/** The line. */\nexport function a() {}',
    ['a.ts a begins with “The”, not with a verb (“Reads”)'],
  ],
  [
    'a function that is a value',
    'a.ts',
    '/** Lines of it. */\nexport const a = () => 1',
    ['a.ts a begins with “Lines”, not with a verb (“Reads”)'],
  ],
  ['a type by a noun', 'a.ts', '/** A line. */\nexport interface A {}', []],
  [
    'a type by a question',
    'a.ts',
    '/** What a line is. */\nexport type A = string',
    ['a.ts A begins with “What”, not with a noun'],
  ],
  ['a component by a noun', 'a.tsx', '/** A button. */\nexport function Button() {}', []],
  ['a hook by its verb', 'a.tsx', '/** Returns the state. */\nexport function useState() {}', []],
  [
    'overloads once',
    'a.ts',
    [
      '/** Reads. */',
      'export function a(b: string): string',
      'export function a(b: number): number',
      'export function a(b: unknown): unknown { return b }',
    ].join('\n'),
    [],
  ],
  ['what is only passed on', 'a.ts', "export { a } from './b'", []],
])('%s', (_what, file, code, faults) => {
  expect(docstringFaults(file, code)).toEqual(faults)
})
