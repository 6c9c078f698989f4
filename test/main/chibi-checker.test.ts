import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  active,
  changed,
  faultsIn,
  inbox,
  line,
  manifest,
  moved,
  partition,
  window,
  withFile,
  without,
} from '../support/chibi-checker/broken-home'
import { goodHome, type HomeFiles } from '../support/chibi-checker/good-home'
import { checkHome } from '../support/chibi-checker/home'
import { memoryFolder, tempFolders } from '../support/temp-folder'

const archived = () => String(goodHome()[`${partition}.jsonl`]).split('\n')
const idOf = (index: number): string => JSON.parse(archived()[index] ?? '').id

/** The good home with an anchor that keeps earlier entries; `told` are those that the window tells. */
function keeping(ids: readonly string[], told: readonly string[] = ids): HomeFiles {
  const files = goodHome()
  const anchor = archived()[3] ?? ''
  const other = anchor.replace('"metadata":{', `"metadata":{"kept":${JSON.stringify(ids)},`)
  const lines = archived().filter((one) => one !== '' && told.includes(JSON.parse(one).id))
  for (const file of [`${partition}.jsonl`, window])
    files[file] = String(files[file]).replace(anchor, other)
  files[window] = String(files[window]).replace(other, [other, ...lines].join('\n'))
  return files
}

const temp = tempFolders(memoryFolder)

it('finds no fault in a good home', () => {
  expect(faultsIn(temp(), goodHome(), { secrets: ['sk-secret'] })).toEqual([])
})

it('finds none where there is no home', () => {
  expect(checkHome(path.join(temp(), 'none'))).toEqual([])
})

it.each<[rule: string, files: HomeFiles, fault: string]>([
  // A transcript as a whole.
  [
    'an entry twice',
    changed(active, (t) => `${t}${t.split('\n')[10]}\n`),
    `${active}:12: has the id of ${active}:11`,
  ],
  [
    'no entry at all',
    changed('contexts/shed/transcript/active.jsonl', () => ''),
    'contexts/shed/transcript/active.jsonl: there is no entry',
  ],
  [
    'no anchor first',
    changed('contexts/shed/transcript/active.jsonl', (t) =>
      t
        .replace('context_created', 'archival')
        .replace('Context created', 'Context archived/cleared'),
    ),
    'contexts/shed/transcript/active.jsonl:1: a transcript begins',
  ],
  [
    'a second creation',
    line(
      '"content":"It failed.","entry_type":"run_error","metadata":{"kind":"server"}',
      '"content":"Context created","entry_type":"context_created"',
    ),
    `${active}:11: a transcript begins`,
  ],
  // The window.
  ['no window', without(window), `${window}: is missing`],
  [
    'a window that lags behind',
    changed(window, (t) => t.split('\n').slice(0, -2).join('\n').concat('\n')),
    `${window}:11: is not the line of ${active}:11`,
  ],
  [
    'a window in another order',
    changed(window, (t) =>
      t
        .split('\n')
        .toSpliced(1, 2, ...t.split('\n').slice(1, 3).reverse())
        .join('\n'),
    ),
    `${window}:2: is not the line of`,
  ],
  [
    'a window with more',
    changed(window, (t) => `${t}${t.split('\n')[0]}\n`),
    `${window}:12: the transcript has no such`,
  ],
  [
    'a changed prompt in it',
    changed(window, (t) => {
      const l = t.split('\n')
      l.splice(7, 0, String(goodHome()[active]).split('\n')[6] ?? '')
      return l.join('\n')
    }),
    `${window}:8: is not the line of`,
  ],
  [
    'no anchor in a window after a compaction',
    changed(window, (t) => t.slice(t.indexOf('\n') + 1)),
    `${window}:1: is not the line of ${partition}.jsonl:4`,
  ],
  [
    'a window that begins at an older anchor',
    changed(
      window,
      (t) => `${String(goodHome()[`${partition}.jsonl`])}${t.slice(t.indexOf('\n') + 1)}`,
    ),
    `${window}:1: is not the line of`,
  ],
  ['an anchor that keeps nothing', keeping([]), `${partition}.jsonl:4: "kept" is no list`],
  [
    'an anchor that keeps what is not there',
    keeping(['an id']),
    `${partition}.jsonl:4: keeps an entry that does not stand before it`,
  ],
  [
    'an anchor that keeps entries in another order',
    keeping([idOf(2), idOf(1)]),
    `${partition}.jsonl:4: keeps entries in another order`,
  ],
  ['an anchor that keeps an anchor', keeping([idOf(0)]), `${partition}.jsonl:4: keeps an anchor`],
  [
    'a window without what its anchor keeps',
    keeping([idOf(2)], []),
    `${window}:2: is not the line of ${partition}.jsonl:3`,
  ],
  // The manifest.
  [
    'a manifest that is no JSON',
    changed(manifest, (t) => t.slice(0, -2)),
    `${manifest}: is no JSON`,
  ],
  [
    'a manifest in one line',
    changed(manifest, (t) => JSON.stringify(JSON.parse(t))),
    `${manifest}: is not pretty JSON`,
  ],
  [
    'another version',
    changed(manifest, (t) => t.replace('"version": 1', '"version": 2')),
    `${manifest}: "version" is 1`,
  ],
  [
    'another active partition',
    changed(manifest, (t) => t.replace('active.jsonl', 'now.jsonl')),
    `${manifest}: "active_partition"`,
  ],
  [
    'keys in another order',
    changed(manifest, (t) => {
      const { version, ...rest } = JSON.parse(t)
      return JSON.stringify({ ...rest, version }, null, 2)
    }),
    `${manifest}: the keys are not in order`,
  ],
  [
    'no policy',
    changed(manifest, (t) => t.replace('max_age_seconds', 'age')),
    `${manifest}: "rotation_policy" has`,
  ],
  [
    'a policy with a null',
    changed(manifest, (t) => t.replace('100000', 'null')),
    `${manifest}: "max_tokens"`,
  ],
  [
    'a wrong number of entries',
    changed(manifest, (t) => t.replace('"entry_count": 4', '"entry_count": 5')),
    '"entry_count" is 4, not 5',
  ],
  [
    'no number of entries',
    changed(manifest, (t) => t.replace('"entry_count": 4,\n', '').replace(/\n\s*\n/, '\n')),
    '"entry_count" is 4, not undefined',
  ],
  [
    'a wrong number of prompts',
    changed(manifest, (t) => t.replace('"prompt_count": 1', '"prompt_count": 0')),
    '"prompt_count" is 1, not 0',
  ],
  [
    'a wrong number of tokens',
    changed(manifest, (t) => t.replace('"token_count": 27', '"token_count": 26')),
    '"token_count" is 27, not 26',
  ],
  [
    'a wrong first time',
    changed(manifest, (t) => t.replace('"start_ts": 1770000001', '"start_ts": 1770000000')),
    '"start_ts" is 1770000001',
  ],
  [
    'a wrong last time',
    changed(manifest, (t) => t.replace('"end_ts": 1770000004', '"end_ts": 1770000005')),
    '"end_ts" is 1770000004',
  ],
  [
    'a partition that is gone',
    without(`${partition}.jsonl`),
    `${manifest}: partitions/1770000001-1770000004.jsonl is not there`,
  ],
  ['a filter that is gone', without(`${partition}.bloom`), '.bloom is not there'],
  ['a partition that nobody names', without(manifest), `${partition}.jsonl: no manifest names it`],
  [
    'a partition named twice',
    changed(manifest, (t) => {
      const m = JSON.parse(t)
      m.partitions.push(m.partitions[0])
      return JSON.stringify(m, null, 2)
    }),
    'names partitions/1770000001-1770000004.jsonl twice',
  ],
  [
    'a partition outside',
    changed(manifest, (t) => t.replace('partitions/1770000001', '../1770000001')),
    'is no name of a partition',
  ],
  [
    'a partition named after other times',
    (() => {
      const files = changed(manifest, (t) =>
        t.replaceAll('1770000001-1770000004', '1770000002-1770000004'),
      )
      for (const end of ['jsonl', 'bloom']) {
        files[`${partition.replace('0001-', '0002-')}.${end}`] = files[`${partition}.${end}`] ?? ''
        delete files[`${partition}.${end}`]
      }
      return files
    })(),
    'is not named after its first and last entry',
  ],
  // The home.
  ['no state.json', without('state.json'), 'state.json: is missing'],
  ['a state.json that is no JSON', withFile('state.json', '{'), 'state.json: is no JSON'],
  [
    'a context that state.json does not know',
    changed('state.json', (t) => t.replace('"shed"', '"zoo"')),
    'state.json: knows garden, zoo; there are garden, shed',
  ],
  [
    'contexts that are not sorted',
    changed('state.json', (t) =>
      t.replace('"shed"', '"x"').replace('"garden"', '"shed"').replace('"x"', '"garden"'),
    ),
    'state.json: knows shed, garden',
  ],
  [
    'a time in state.json that is none',
    changed('state.json', (t) => t.replace('1770000015', '"now"')),
    '"last_activity_at" of garden',
  ],
  [
    'a cwd that is none',
    changed('state.json', (t) => t.replace('"cwd": null', '"cwd": 5')),
    '"cwd" of garden',
  ],
  [
    'a session without its context',
    withFile('session.json', '{}'),
    'session.json: has implied_context',
  ],
  [
    'a name that chibi ignores',
    withFile('contexts/a b/context.jsonl', ''),
    'contexts/a b: is no name',
  ],
  [
    'a name with a dash in front',
    withFile('contexts/-a/context.jsonl', ''),
    'contexts/-a: is no name',
  ],
  [
    'a context called user',
    withFile('contexts/user/context.jsonl', ''),
    'contexts/user: is no name',
  ],
  ['a file among the contexts', withFile('contexts/notes', ''), 'contexts/notes: is no folder'],
  [
    'a prompt that is no UTF-8',
    withFile('prompts/reflection.md', Buffer.from('ff', 'hex')),
    'prompts/reflection.md: is not UTF-8',
  ],
  [
    'a folder in the place of a text',
    { ...without('contexts/garden/todos.md'), 'contexts/garden/todos.md/x': '' },
    'contexts/garden/todos.md: is no file',
  ],
  [
    'todos that are no UTF-8',
    withFile('contexts/garden/todos.md', Buffer.from('ff', 'hex')),
    'contexts/garden/todos.md: is not UTF-8',
  ],
  [
    'a context_meta.json with a text for a time',
    changed('contexts/garden/context_meta.json', (t) => t.replace('1770000000', '"then"')),
    '"system_prompt_md_mtime" is no time',
  ],
  [
    'a context_meta.json in one line',
    withFile('contexts/garden/context_meta.json', '{"created_at":1}'),
    'is not pretty JSON',
  ],
  // Inbox and requests.
  [
    'a message in other keys',
    changed(inbox, (t) => t.replace('"content"', '"text"')),
    `${inbox}:1: the keys are`,
  ],
  [
    'a message to somebody else',
    changed(inbox, (t) => t.replace('"to":"garden"', '"to":"shed"')),
    `${inbox}:1: is to "shed"`,
  ],
  [
    'a message with another id',
    changed(inbox, (t) => t.replace('"00000000-', '"')),
    `${inbox}:1: the id is no UUID`,
  ],
  [
    'a message without its time',
    changed(inbox, (t) => t.replace('1770000020', 'null')),
    `${inbox}:1: "timestamp" is no`,
  ],
  [
    'a message that is no text',
    changed(inbox, (t) => t.replace('"Hello."', '5')),
    `${inbox}:1: "from" and "content"`,
  ],
  ['a torn message', changed(inbox, (t) => t.slice(0, -3)), `${inbox}:1: is no JSON`],
  [
    'a request in other keys',
    withFile('contexts/garden/requests.jsonl', '{"timestamp":1,"body":{}}\n'),
    'requests.jsonl:1: is no {timestamp, request}',
  ],
  // What lies about.
  [
    'a temporary file',
    withFile('contexts/garden/manifest.tmp.42', ''),
    'contexts/garden/manifest.tmp.42: was left behind',
  ],
  [
    'a context that was never finished',
    withFile('contexts/.skein-new.tmp.7/context.jsonl', ''),
    'contexts/.skein-new.tmp.7/context.jsonl: was left',
  ],
  [
    'a lock',
    withFile('contexts/garden/.lock', '1770000000'),
    'contexts/garden/.lock: was left behind',
  ],
  [
    'the side file of a lock',
    withFile('contexts/garden/.lock.skein', '{}'),
    '.lock.skein: was left behind',
  ],
  [
    'a half answer',
    withFile('contexts/garden/partial.skein.jsonl', '{}'),
    'partial.skein.jsonl: was left behind',
  ],
  [
    'a key in a request',
    changed('contexts/garden/requests.jsonl', (t) => t.replace('"m"', '"sk-secret"')),
    'requests.jsonl:1: holds a secret',
  ],
  [
    'a key in a transcript',
    line('It failed.', 'Bad key sk-secret.'),
    `${active}:11: holds a secret`,
  ],
])('finds %s', (_, files, fault) => {
  const faults = faultsIn(temp(), files, { secrets: ['sk-secret'] })
  expect(faults.filter((one) => one.includes(fault))).not.toEqual([])
})

it('takes what a killed process leaves only where it is told to', () => {
  const files = {
    ...moved((lines) => lines.slice(0, 5)),
    'contexts/garden/.lock': '1',
  }
  expect(faultsIn(temp(), files)).toHaveLength(2)
  expect(faultsIn(temp(), files, { openCalls: true, inUse: true })).toEqual([])
  const temporary = withFile('contexts/garden/todos.tmp.9', '')
  expect(faultsIn(temp(), temporary, { temporaries: true })).toEqual([])
  expect(faultsIn(temp(), files, { openCalls: true, temporaries: true })).toHaveLength(1)
  const middle = moved((lines) => lines.toSpliced(5, 1))
  expect(faultsIn(temp(), middle, { openCalls: true })).not.toEqual([])
})

it('takes entries of a context under its former name only where it is told that', () => {
  const files = goodHome()
  const renamed: HomeFiles = {}
  for (const [file, content] of Object.entries(files))
    renamed[file.replace('contexts/garden/', 'contexts/beds/')] = content
  for (const file of ['state.json', 'contexts/beds/inbox.jsonl'])
    renamed[file] = String(renamed[file]).replaceAll('garden', 'beds')
  expect(faultsIn(temp(), renamed)).not.toEqual([])
  expect(faultsIn(temp(), renamed, { formerNames: ['garden'] })).toEqual([])
  expect(faultsIn(temp(), { contexts: '' })).toEqual(['contexts: is no folder'])
})

it('shares no code with what it checks', () => {
  const folder = path.join(import.meta.dirname, '../support/chibi-checker')
  const imports = fs
    .readdirSync(folder)
    .flatMap((name) => [
      ...fs.readFileSync(path.join(folder, name), 'utf8').matchAll(/ from '(.*)'/g),
    ])
    .map(([, from]) => from)
  expect(imports.filter((from) => !/^(\.\/[a-z-]+|node:(fs|path))$/.test(from ?? ''))).toEqual([])
})

it('finds no fault in a window with what its anchor keeps', () => {
  expect(faultsIn(temp(), keeping([idOf(1), idOf(2)]))).toEqual([])
})
