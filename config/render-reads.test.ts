import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readsInRender } from './render-reads'

const root = path.resolve(import.meta.dirname, '..')

/** Checks a folder with these source files; each is `name: code`. */
function check(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-reads-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const imports = "import { useMemo, useCallback, useEffect, memo } from 'react'\n"
  for (const [name, code] of Object.entries({ ...stores, ...files }))
    fs.writeFileSync(path.join(folder, name), name in stores ? code : imports + code)
  const names = fs.readdirSync(folder).map((name) => path.join(folder, name))
  return readsInRender(names, folder).map((each) => each.replace(/:\d+ .*/, ''))
}

const stores = {
  'stores.ts': `
    export const doors = { getState: () => ({ lock: 'held', open() {} }), subscribe(hear: () => void) {} }
    export const useDoors = <T,>(select: (state: { lock: string }) => T): T => select({ lock: '' })
    export const useCalled = (read: () => string): string => read()
    export const useKept = (read: () => string): { read: () => string } => ({ read })
    export const lockNow = (): string => doors.getState().lock
  `,
}

const lines = (...parts: readonly string[]) => parts.join('\n')
const importing = (names: string) => `import { ${names} } from './stores'`

it('the window draws nothing from a store that it does not follow', () => {
  const renderer = path.join(root, 'src', 'renderer')
  const files = fs
    .readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(renderer, name))

  expect(readsInRender(files, root)).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})

it.each<[string, string]>([
  ['in a component', 'export function Row() { return <p>{doors.getState().lock}</p> }'],
  ['in a component that is kept', 'export const Row = memo(() => <p>{doors.getState().lock}</p>)'],
  ['in a hook', 'export const useLock = () => doors.getState().lock'],
  ['in a memo', 'export function Row() { return useMemo(() => doors.getState().lock, []) }'],
  ['in the selector of another', 'export const Row = () => useDoors(() => doors.getState().lock)'],
  ['in a loop', 'export const Row = () => [1].map(() => doors.getState().lock)'],
  [
    'in a part that a child draws',
    'export const Row = () => <ul>{() => doors.getState().lock}</ul>',
  ],
  ['in an attribute', 'export const Row = () => <ul each={() => doors.getState().lock} />'],
  [
    'by a spread name',
    'export const useLock = () => { const { getState } = doors; return getState().lock }',
  ],
  ['by a quoted name', "export const useLock = () => doors['getState']().lock"],
  ['for its acts', 'export function useOpen() { const { open } = doors.getState(); return open }'],
  [
    'through a function',
    'export function useLock() { const read = () => doors.getState().lock; return read() }',
  ],
  [
    'through a callback',
    'export function useLock() { const read = useCallback(() => doors.getState().lock, []); return read() }',
  ],
  ['through a parameter', 'export const useLock = () => useCalled(() => doors.getState().lock)'],
])('a read %s is found', (_name, code) => {
  expect(check({ 'row.tsx': lines(importing('doors, useDoors, useCalled'), code) })).toEqual([
    'row.tsx',
  ])
})

it('a read in what a component calls is found where it is, once', () => {
  const code =
    'export const One = () => <p>{lockNow()}</p>; export const Two = () => <p>{lockNow()}</p>'

  expect(check({ 'row.tsx': lines(importing('lockNow'), code) })).toEqual(['stores.ts'])
})

it.each<[string, string]>([
  ['an event', 'export const Row = () => <p onClick={() => doors.getState().open()} />'],
  [
    'an event that has a condition',
    'export const Row = (p: { can: boolean }) => <p onClick={p.can ? () => doors.getState().open() : undefined} />',
  ],
  ['an effect', 'export function Row() { useEffect(() => doors.getState().open(), []) }'],
  [
    'a subscription',
    'export function Row() { useEffect(() => doors.subscribe(() => lockNow()), []) }',
  ],
  ['a callback', 'export const useOpen = () => useCallback(() => doors.getState().open(), [])'],
  [
    'acts that are handed on',
    'export const useActs = () => ({ open: () => doors.getState().open() })',
  ],
  [
    'a parameter that is kept',
    'export const useLater = () => useKept(() => doors.getState().lock)',
  ],
  [
    'a function that an event calls',
    'export function Row() { const go = () => lockNow(); return <p onClick={() => go()} onKeyDown={go} /> }',
  ],
  ['no component', 'export function act() { doors.getState().open() }'],
])('a read for %s is none', (_name, code) => {
  expect(check({ 'row.tsx': lines(importing('doors, useKept, lockNow'), code) })).toEqual([])
})
