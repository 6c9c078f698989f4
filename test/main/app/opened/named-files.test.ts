import path from 'node:path'
import { expect, it } from 'vitest'
import {
  argumentsOfApp,
  handedFiles,
  namedFiles,
  packFiles,
} from '../../../../src/main/app/opened/named-files'

const folder = path.resolve('/some folder')
const at = (name: string) => path.join(folder, name)

it.each<[what: string, argv: readonly string[], files: readonly string[]]>([
  ['paths of any letters', ['a b.jsonl', '夢/ł.zip'], [at('a b.jsonl'), at('夢/ł.zip')]],
  ['absolute paths', [at('x.zip')], [at('x.zip')]],
  ['one named twice, once', ['x.zip', './x.zip'], [at('x.zip')]],
  ['addresses of files', ['file:///tmp/a%20b%E5%A4%A2.jsonl'], ['/tmp/a b夢.jsonl']],
  ['addresses with one slash', ['file:/tmp/a%20b'], ['/tmp/a b']],
  ...[
    'file://server/share/x.jsonl',
    'smb://server/share/x.jsonl',
    'https://example.com/x.zip',
    'file:///a%2Fb',
    'file:///%FF.jsonl',
  ].map((one): [string, string[], string[]] => [`as it is, ${one}`, [one], [one]]),
  ['no option', ['--no-sandbox', '-x', '--type=renderer', 'x.zip', '--foo=y.zip'], [at('x.zip')]],
  [
    'no value of an option',
    ['--home', 'h', 'x.zip', '--root', 'codex=/y', '--cache', 'c'],
    [at('x.zip')],
  ],
  ['what is behind a value in one word', ['--home=h', 'x.zip'], [at('x.zip')]],
  ['all behind two dashes', ['--sample', '--', '--home', '-x.zip'], [at('--home'), at('-x.zip')]],
  ['a name with a colon', ['notes:1.jsonl'], [at('notes:1.jsonl')]],
  [
    'what looks like an option, behind two dashes',
    ['--home', '--', 'x.zip', '--', '--home=h', '--', '--sample'],
    [at('x.zip'), at('--home=h'), at('--'), at('--sample')],
  ],
  ['nothing for empty words', ['', '--'], []],
  ['nothing beside a link', ['x.zip', 'skein://conversation/garden', '/etc/passwd'], []],
  ['nothing beside what was to be a link', ['SKEIN:x', 'x.zip'], []],
])('lists %s', (_, argv, files) => {
  expect(namedFiles(argv, folder, 'linux')).toEqual(files)
})

it('takes options as Chromium has them on Windows', () => {
  expect(namedFiles(['/prefetch:1', 'x.zip'], folder, 'win32')).toEqual([at('x.zip')])
})

it('begins behind the folder that an unpackaged app runs from, whatever Electron is told before it', () => {
  const argv = ['/bin/electron', '-r', '/gate.cjs', '--no-sandbox', '.', '--sample', 'x.zip']
  expect(argumentsOfApp(argv, folder, folder)).toEqual(['--sample', 'x.zip'])
  expect(argumentsOfApp(['/bin/electron', 'main.js', 'x.zip'], folder, folder)).toEqual(['x.zip'])
  expect(argumentsOfApp(['/opt/Skein/skein-window', 'x.zip'], undefined, folder)).toEqual(['x.zip'])
})

it('hands over what another start can be handed, and takes no more than paths', () => {
  const many = Array.from({ length: 500 }, (_, number) => at(`${'x'.repeat(60)}-${number}`))
  const some = [...many.slice(0, 50), at('夢 it’s 100%.jsonl')]
  const packed = packFiles(['skein', ...some], some)
  expect(handedFiles(packed)).toEqual(some)
  expect(packed.files).toMatch(/^[\w-]+$/)
  expect(() => packFiles(['skein', ...many], many)).toThrow('The command line is too long.')
  // A link can be long, too.
  const link = `skein://conversation/${'x'.repeat(40_000)}`
  expect(() => packFiles(['skein', link], [])).toThrow('The command line is too long.')
  expect(handedFiles(packFiles([], ['smb://server/x']))).toEqual(['smb://server/x'])
  const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(handedFiles({ files: written([at('a'), 'relative', 7, null]) })).toEqual([at('a')])
  for (const data of [
    undefined,
    null,
    'x',
    {},
    { files: 7 },
    { files: 'x' },
    { files: written({}) },
  ])
    expect(handedFiles(data)).toEqual([])
})
