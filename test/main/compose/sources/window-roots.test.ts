import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { defaultRoots } from '../../../../src/cli/homes/named-homes'
import {
  givenRoots,
  rootsFrom,
  windowRoots,
} from '../../../../src/main/compose/sources/window-roots'
import { SourceRoot } from '../../../../src/shared/model/settings/source-roots'

const at = path.resolve('/somewhere')
const nothing = { off: [], added: [] }
const cycodHere = { source: 'cycod' as const, path: path.join(os.homedir(), '.cycod') }
const archive = SourceRoot.parse({ source: 'cycod', path: path.resolve('/archive') })

function given(...texts: readonly string[]) {
  const noted: string[] = []
  return { found: givenRoots(texts, at, (words) => noted.push(words)), noted }
}

it('reads where each system leaves its histories when nothing is named', () => {
  const roots = windowRoots('settings', [], nothing)
  expect(roots).toContainEqual({ ...cycodHere, origin: 'default', isOn: true })
  expect(roots.map(({ source }) => source)).not.toContain('chibi')
})

it('reads nothing else beside a named home, or beside the sample library, whatever was added', () => {
  const stored = { off: [], added: [archive] }
  expect(windowRoots('home-option', [], stored)).toEqual([])
  expect(windowRoots('sample', [], stored)).toEqual([])
})

it.each([
  [[], false, false, 'settings'],
  [[], true, false, 'home-option'],
  [[], false, true, 'sample'],
  [[], true, true, 'home-option'],
  [['cycod=a'], false, false, 'root-option'],
  [['cycod=a'], true, false, 'root-option'],
  [['cycod=a'], false, true, 'root-option'],
])(
  'knows who says what is read: --root %j, --home %s, sample %s: %s',
  (roots, isHomeGiven, sample, from) => {
    expect(rootsFrom({ roots, isHomeGiven }, sample)).toBe(from)
  },
)

it('reads only the roots that are named, whatever Settings say', () => {
  const { found, noted } = given('cycod=histories')
  expect(noted).toEqual([])
  const root = { source: 'cycod', path: path.join(at, 'histories') }
  expect(windowRoots('root-option', found, { off: [], added: [archive] })).toEqual([
    { ...root, origin: 'given', isOn: true },
  ])
})

it('leaves out what it cannot use, and says why', () => {
  const { found, noted } = given('nobody=/a', 'cycod', 'chibi=/home', 'cycod=/b')
  expect(found).toEqual([{ source: 'cycod', path: path.resolve('/b') }])
  expect(noted).toHaveLength(3)
})

it('keeps a default root that is turned off in the list, and does not read it', () => {
  const roots = windowRoots('settings', [], { off: [cycodHere], added: [] })
  expect(roots).toContainEqual({ ...cycodHere, origin: 'default', isOn: false })
})

it('lists added roots after the default ones, each root once, and no home of chibi', () => {
  const chibi = SourceRoot.parse({ source: 'chibi', path: path.resolve('/home') })
  const added = [archive, archive, cycodHere, chibi]
  const roots = windowRoots('settings', [], { off: [], added })
  expect(roots.at(-1)).toEqual({ ...archive, origin: 'added', isOn: true })
  expect(roots.filter(({ origin }) => origin === 'added')).toHaveLength(1)
})

it('reads voicemode where VOICEMODE_BASE_DIR says, in the window and on the command line', () => {
  const environment = { VOICEMODE_BASE_DIR: '~/spoken' }
  const place = { source: 'voicemode', path: path.join(os.homedir(), 'spoken') }
  const ofVoicemode = ({ source }: { readonly source: string }) => source === 'voicemode'
  expect(windowRoots('settings', [], nothing, environment).filter(ofVoicemode)).toEqual([
    { ...place, origin: 'default', isOn: true },
  ])
  expect(defaultRoots(environment).filter(ofVoicemode)).toEqual([{ ...place, writable: false }])
})

it('reads a system where the first of its variables says that is set', () => {
  const qwenIn = (environment: Readonly<Record<string, string>>) =>
    windowRoots('settings', [], nothing, environment)
      .filter(({ source }) => source === 'qwen')
      .map((root) => root.path)
  const places = { QWEN_HOME: path.resolve('/set'), QWEN_RUNTIME_DIR: path.resolve('/run') }
  expect(qwenIn(places)).toEqual([places.QWEN_RUNTIME_DIR])
  expect(qwenIn({ QWEN_HOME: places.QWEN_HOME, QWEN_RUNTIME_DIR: '' })).toEqual([places.QWEN_HOME])
  expect(qwenIn({})).toEqual([path.join(os.homedir(), '.qwen')])
})
