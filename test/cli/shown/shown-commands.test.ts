import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Person, people } from './person'
import { shownCommands } from './shown-commands'

const root = path.resolve(import.meta.dirname, '../../..')

/** What is shown and not run here, and why. */
const notRun: Readonly<Record<string, string>> = {
  'npm start': 'opens the window; test/e2e does',
  'npm start -- --sample': 'opens the window; test/e2e does',
  'npm start -- --tour': 'opens the window, and takes pictures',
  'npm run bench -- append': 'measures for minutes',
  'npm run bench -- search': 'measures for minutes',
  'npm run wasm':
    'writes to the source; test/main/search/bytes/byte-search builds the same in memory',
  'npx vitest run test/main/readers': 'would run in itself',
  'npx vitest run test/main/exporters/tables.test.ts test/main/exporters/index.test.ts':
    'would run in itself',
  'npm run package': 'makes packages for minutes',
  'npm run package -- AppImage': 'makes packages for minutes',
  'npm run test:package': 'makes packages for minutes',
  'npm run test:package -- search': 'makes packages for minutes',
  'npm run dev': 'opens the window; test/e2e does',
  'npm test': 'would run itself',
  'npm run check': 'would run itself',
  'npm run fix': 'changes the sources',
  'npm run bench': 'measures for minutes',
  'npm run test:faults': 'runs for tens of minutes',
  'npm run test:mutants': 'runs for half an hour',
  'npm run test:repeat -- FILE [N]': 'runs other tests',
  'npm run -s skein -- COMMAND': 'a form; each command is run',
  'npx tsc -b': 'runs for a minute; npm run check does',
  'npx vitest run test/main/store/lines/entry-line.test.ts': 'would run in itself',
  'node scripts/test.mjs --e2e search': 'opens the window',
  'skein COMMAND [options]': 'a form; each command is run',
  'skein resume KEY': 'needs a session of another program; test/cli/resume.test.ts does',
  'skein backup on claude-code': 'needs a folder of Claude Code; test/cli/backup.test.ts does',
  'skein backup delete claude-code': 'asks at a terminal',
  'skein export KEY --format pi --to-program': 'needs a folder of pi; test/cli/resume.test.ts does',
  'skein snapshot take FOLDER': 'needs a folder to write to; test/cli/snapshot.test.ts does',
  'skein snapshot restore FILE FOLDER': 'needs a snapshot; test/cli/snapshot.test.ts does',
  'skein ask --context NAME': 'talks at a terminal; test/cli/ask/talk.test.ts does',
}

/** What stands for a thing of the reader's own. The first that matches is put in its place. */
const filled: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=compare )KEY(?:\[@ENTRY\])? KEY(?:\[@ENTRY\])?(?= --|$)/g,
    'garden@"$ANSWER" chat-history-1754437000000',
  ],
  [/\[(\w+) \| < stdin\]/g, '$1'],
  [/\[(\w+)\]/g, '$1'],
  [/(?<=plugins (?:look|trust|distrust) )NAME/g, 'rain'],
  [/(?<=plugins trust)$/g, ' rain --digest "$DIGEST"'],
  [/(?<=plugins trust rain)$/g, ' --digest "$DIGEST"'],
  [/(?<=prompts |--prompt )NAME/g, 'review'],
  [/\bWORDS=VALUE\b/g, 'language=Dutch'],
  [/\bCOMMAND\b/g, 'show'],
  [/\bKEY=VALUE\b/g, 'fuel=3'],
  [/\b(?:ENTRY_ID|(?<=label KEY )ENTRY)\b/g, '"$ANSWER"'],
  [/\bTOOL JSON\b/g, `update_todos '{"content":"- water"}'`],
  [/\bTOOL\b/g, 'update_todos'],
  [/\bNAME NEW\b/g, 'garden allotment'],
  [/(?<=contexts new )NAME/g, 'orchard'],
  [/\b(?:NAME|KEY|ID)\b/g, 'garden'],
  [/\bTITLE\b/g, '"Two beds"'],
  [/\bTEXT\b/g, '"Be short."'],
  [/\bWHO\b/g, 'mira'],
  [/\bWHAT\b/g, 'todos'],
  [/\bQ\b/g, 'tulips'],
  [/\bDAYSd\b/g, '9000d'],
  [/\bN\b/g, '2'],
  [/--format F\b/g, '--format md'],
  [/(?<=import )FILE\b/g, `"${root}/test/fixtures/readers/chatgpt/input/later.zip"`],
  [/\bFILE\b/g, '"$HOME/file"'],
  [/\bPROMPT\b/g, 'Hello'],
]

/** What a sentence leaves out of a command that it only names. */
function whole(command: string): string {
  let line = filled.reduce((text, [form, value]) => text.replace(form, value), command)
  if (/^skein ask\b/.test(line) && !line.includes('--input'))
    line = line
      .replace(/^skein ask\b(?!.*(?:--context|-C) )/, 'skein ask --context garden')
      .replace(/^(?!.*Hello)skein ask( --context garden)?/, 'skein ask$1 Hello')
  if (line === 'skein ask --input -')
    line = `echo '{"context":"garden","prompt":"Hello"}' | ${line}`
  if (/^skein compact$/.test(line)) line += ' garden'
  if (/^skein search$/.test(line)) line += ' tulips'
  if (/^skein (show|export)$/.test(line)) line += ' garden'
  if (/^skein compare$/.test(line)) line += ' garden chat-history-1754437000000'
  return line
}

const { person, furnished } = people()

/** Runs one that goes on until Ctrl+C; gives its exit code after that. */
function untilCtrlC({ environment, home }: Person, line: string): Promise<number | null> {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: home, env: environment })
  child.stdout.once('data', () => child.kill('SIGINT'))
  return new Promise((resolve) => child.on('close', resolve))
}

const shown = shownCommands()
const runs = shown.filter(({ command }) => !(command in notRun))

it('the pages show commands, and each that is not run here is shown somewhere', () => {
  expect(runs.length).toBeGreaterThan(40)
  const all = shown.map(({ command }) => command)
  expect(Object.keys(notRun).filter((one) => !all.includes(one))).toEqual([])
})

it('each script of npm that a page shows is there', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const named = shown.flatMap(
    ({ command }) => /^npm (?:run )?(?:-s )?([\w:]+)/.exec(command)?.[1] ?? [],
  )
  expect(named.filter((name) => !(name in scripts))).toEqual([])
  expect(named.length).toBeGreaterThan(5)
})

describe('a command that a page shows is done', () => {
  it('alone, in a home and beside histories of other systems', async () => {
    const { one, known } = await furnished()
    const faults: string[] = []
    for (const { command, page } of runs) {
      if (!/\bskein /.test(command)) {
        faults.push(`${page}: ${command}: is neither run nor named with a reason`)
        continue
      }
      const line = whole(command)
      if (/--follow|^skein tail/.test(line)) {
        const code = await untilCtrlC(one, line)
        // It has shown what there was: Ctrl+C is its end, and no failure.
        if (code !== 0) faults.push(`${page}: ${command}: exit code ${code}`)
        continue
      }
      // What one command changes, the next must not find changed.
      const copy = path.join(one.home, 'copy')
      fs.cpSync(path.join(one.home, '.chibi'), copy, { recursive: true })
      await one
        .sh(line, known)
        .catch((error: { readonly stderr?: string; readonly code?: number }) => {
          faults.push(`${page}: ${command}: ${line}: exit code ${error.code}: ${error.stderr}`)
        })
      fs.rmSync(path.join(one.home, '.chibi'), { recursive: true })
      fs.renameSync(copy, path.join(one.home, '.chibi'))
    }
    expect(faults).toEqual([])
  })

  it('the digest of a plugin that is a folder, as docs/plugins.md computes it', async () => {
    const one = await person()
    const folder = path.join(one.home, '.chibi/plugins/snow')
    fs.mkdirSync(path.join(folder, 'lib'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'snow'), '#!/bin/sh\necho "[]"\n', { mode: 0o755 })
    fs.writeFileSync(path.join(folder, 'lib/b.txt'), 'b')
    const block = shownBlock('docs/plugins.md', 'sha256sum')
    const line = block.replace('<home>', path.join(one.home, '.chibi')).replace('NAME', 'snow')
    const { stdout } = await one.sh(line)
    const { stdout: look } = await one.sh('skein plugins look snow --json')
    expect(stdout.trim().split(' ')[0]).toBe(JSON.parse(look).hash)
  })
})

/** The fenced block of a page that has a word. */
function shownBlock(page: string, word: string): string {
  const text = fs.readFileSync(path.join(root, page), 'utf8')
  const block = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].find(([, one]) =>
    one?.includes(word),
  )?.[1]
  if (block === undefined) throw new Error(`${page} shows no ${word}`)
  return block
}
