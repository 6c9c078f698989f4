import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { expect, it, onTestFinished } from 'vitest'

const rules = createRequire(import.meta.url)('./dependency-cruiser.cjs')
const root = path.resolve(import.meta.dirname, '..')

/** Checks `src` below a folder against the table. */
async function check(
  folder: string,
): Promise<{ readonly violations: readonly string[]; readonly files: number }> {
  const { output } = await cruise(
    ['src'],
    { ...rules.options, ruleSet: rules, validate: true, baseDir: folder },
    undefined,
    { tsConfig: extractTSConfig(path.join(root, 'tsconfig.json')) },
  )
  const { summary } = output as ICruiseResult // a string only for other reporters
  return {
    violations: summary.violations.map((each) => `${each.rule.name}: ${each.from} -> ${each.to}`),
    files: summary.totalCruised,
  }
}

/** A folder with these source files and with packages of these names. */
function plant(files: Readonly<Record<string, string>>, packages: readonly string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skein-table-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  for (const name of packages) {
    fs.mkdirSync(path.join(folder, 'node_modules', name), { recursive: true })
    fs.writeFileSync(path.join(folder, 'node_modules', name, 'index.js'), '')
  }
  fs.copyFileSync(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'))
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(folder, 'src', path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(folder, 'src', file), `${text}\nexport const a = 1\n`)
  }
  return folder
}

it('every import follows the table in docs/architecture.md', async () => {
  const { violations, files } = await check(root)

  expect(violations).toEqual([])
  // A parser that cannot read TypeScript finds nothing and passes.
  expect(files).toBeGreaterThan(100)
})

it('the table in docs/architecture.md allows the same imports as the rules', () => {
  const page = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
  const [, rows = ''] = /^\| room \| may import.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const table = rows
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .flatMap(([, room = '', may = '']) => (/^$|\.ts$/.test(room) ? [] : [{ room, may }]))
    .map(({ room, may }) => ({ room: room.replace(/ \(.*/, ''), may }))
  const all = [...table.map(({ room }) => room), 'renderer/api.ts'].filter(
    (one) => !one.includes('('),
  )
  const shown = table.map(({ room, may }) => {
    // "main/async, disk (why); more words": rooms of main need their prefix once.
    const names = may
      .replace(/;.*| \(.*?\)/g, '')
      .split(', ')
      .map((name) => (name.includes('/') || name === 'shared' ? name : `main/${name}`))
    return [
      room,
      all.filter((one) => names.includes(one) || names.includes(one.split('/')[0] ?? '')),
    ]
  })
  const allowed = rules.forbidden
    .filter(({ name }: { name: string }) => name.startsWith('room ') && name !== 'room renderer')
    .map(({ name, to }: { name: string; to: { pathNot: readonly string[] } }) => {
      const [, ...others] = to.pathNot // the first one is the room itself
      const room = name.slice('room '.length).replace(/\(.*\)/, '(feature)')
      return [
        room,
        all.filter((one) => others.some((other) => new RegExp(other).test(`src/${one}/`))),
      ]
    })
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(allowed))
  expect(shown.length).toBeGreaterThan(20)
})

it('the table catches every kind of import that it forbids', async () => {
  const folder = plant(
    {
      'shared/model/entry.ts': '',
      'main/store/store.ts': '',
      'main/disk/disk.ts': '',
      'main/disk/upward.ts': "import { a as b } from '../store/store'",
      'main/store/type-only.ts': "import type { a as b } from '../llm/run'",
      'main/llm/run.ts': "import { a as b } from '../store/store'",
      'main/settings/files.ts': "import { readFile } from 'node:fs/promises'",
      'main/library/provider.ts': "import OpenAI from 'openai'",
      'main/search/shell.ts': "import { app } from 'electron'",
      'main/composition.ts': "import { a as b } from './llm/run'",
      'main/index.ts': "import { a as b } from './llm/run'; void import('./composition')",
      'main/app/root.ts': "import { a as b } from '../index'",
      'main/unheard-of/file.ts': "import { a as b } from '../disk/disk'",
      'main/disk/one.ts': "import { a as b } from './two'",
      'main/disk/two.ts': "import { a as b } from './one'",
      'preload/index.ts': "import { a as b } from '../main/disk/disk'",
      'renderer/api.ts': '',
      'renderer/transcript/Turn.tsx': "import { a as b } from '../composer/Composer'",
      'renderer/composer/Composer.tsx': "import { a as b } from '../api'",
      'renderer/details/Details.tsx': "import { a as b } from '../../main/store/store'",
      'renderer/ui/Button.tsx': "import { create } from 'zustand'",
      'cli/list.ts': "import { a as b } from '../main/app/root'",
      'cli/missing.ts': "import { a as b } from './nowhere'",
    },
    ['electron', 'openai', 'zustand'],
  )

  const { violations } = await check(folder)

  const shortened = violations.map((each) =>
    each.replace(/renderer\/\(.*\)/, 'a feature').replaceAll('src/', ''),
  )
  expect(shortened.sort()).toEqual([
    'every file has a room: main/unheard-of/file.ts -> main/disk/disk.ts',
    'home of electron: main/search/shell.ts -> node_modules/electron/index.js',
    'home of node:fs: main/settings/files.ts -> fs/promises',
    'home of openai: main/library/provider.ts -> node_modules/openai/index.js',
    'home of zustand: renderer/ui/Button.tsx -> node_modules/zustand/index.js',
    'main/index begins with little: main/index.ts -> main/llm/run.ts',
    'no cycles: main/disk/one.ts -> main/disk/two.ts',
    'resolvable: cli/missing.ts -> ./nowhere',
    'room a feature: renderer/composer/Composer.tsx -> renderer/api.ts',
    'room a feature: renderer/details/Details.tsx -> main/store/store.ts',
    'room a feature: renderer/transcript/Turn.tsx -> renderer/composer/Composer.tsx',
    'room cli: cli/list.ts -> main/app/root.ts',
    'room main/app: main/app/root.ts -> main/index.ts',
    'room main/disk: main/disk/upward.ts -> main/store/store.ts',
    'room main/store: main/store/type-only.ts -> main/llm/run.ts',
    'room preload: preload/index.ts -> main/disk/disk.ts',
    'room renderer: renderer/details/Details.tsx -> main/store/store.ts',
  ])
})
