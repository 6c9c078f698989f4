import { describe, expect, it } from 'vitest'
import {
  languageOfFile,
  numberedLines,
  readCall,
} from '../../../../src/shared/model/calls/read-call'
import { foundFiles, searchCall } from '../../../../src/shared/model/calls/search-call'
import { taskCall } from '../../../../src/shared/model/calls/task-call'
import { listedTasks } from '../../../../src/shared/model/calls/todo-call'
import { foundPages, webCall } from '../../../../src/shared/model/calls/web-call'
import { Entry } from '../../../../src/shared/model/conversation/entry'

function call(to: string, args: unknown): Entry {
  const content = typeof args === 'string' ? args : JSON.stringify(args)
  const base = { id: 'c', timestamp: 1, from: 'm', entry_type: 'tool_call', file: 'f' }
  return Entry.parse({ ...base, to, content, offset: 0, length: 1 })
}

describe('a call that reads a file', () => {
  it.each([
    ['Claude Code', 'Read', { file_path: '/a.ts', offset: 10, limit: 5 }, { from: 10, to: 14 }],
    ['Codex and others', 'read_file', { file_path: '/a.ts' }, {}],
    [
      'Gemini CLI',
      'read_file',
      { absolute_path: '/a.ts', start_line: 2, end_line: 4 },
      { from: 2, to: 4 },
    ],
    ['OpenCode', 'read', { filePath: '/a.ts', limit: 20 }, { to: 20 }],
    ['Copilot', 'readFile', { filePath: '/a.ts', startLine: 1, endLine: 9 }, { from: 1, to: 9 }],
    ['Cline', 'read_file', { path: '/a.ts', start_line: '3' }, { from: 3 }],
    [
      'an editor',
      'str_replace_editor',
      { command: 'view', path: '/a.ts', view_range: [4, 6] },
      { from: 4, to: 6 },
    ],
  ])('is told as %s writes it', (_, to, args, range) => {
    expect(readCall(call(to, args))).toEqual({ path: '/a.ts', ...range })
  })

  it('is no call of another tool, without a path, or an editor that changes', () => {
    expect(readCall(call('Write', { file_path: '/a', content: '' }))).toBeUndefined()
    expect(readCall(call('Read', { file_path: '' }))).toBeUndefined()
    expect(readCall(call('Read', 'not JSON'))).toBeUndefined()
    expect(
      readCall(call('str_replace_editor', { command: 'undo_edit', path: '/a' })),
    ).toBeUndefined()
  })

  it.each([
    ['an arrow', '     9→const a = 1\n    10→\n    11→}\n'],
    ['a tab', '9\tconst a = 1\n10\t\n11\t}'],
    ['a bar', '<file>\n00009| const a = 1\n00010| \n00011| }\n</file>'],
    ['a bar with room', 'File: a.ts\n 9 | const a = 1\n10 | \n11 | }'],
    ['a colon', '9: const a = 1\n10: \n11: }'],
  ])('has its lines parted from numbers with %s', (_, text) => {
    expect(numberedLines(text)).toMatchObject({ first: 9, code: 'const a = 1\n\n}' })
  })

  it('keeps what stands around the lines, and parts nothing where numbers do not follow each other', () => {
    const text = '<file>\n1| one\n2| two\n</file>\n<note>more lines</note>'
    expect(numberedLines(text)).toEqual({
      before: '<file>',
      first: 1,
      code: 'one\ntwo',
      after: '</file>\n<note>more lines</note>',
    })
    expect(numberedLines('1\ta\n3\tb\n7\tc')).toBeUndefined()
    expect(numberedLines('key: value\nother: value')).toBeUndefined()
    expect(numberedLines('')).toBeUndefined()
    // Not one line of a text is lost.
    const { before = '', code = '', after = '' } = numberedLines(text) ?? {}
    expect([before, code, after].join('\n').split('\n')).toHaveLength(5)
  })

  it('knows the language by the end of the name', () => {
    expect(
      ['/a/b.ts', 'C:\\x\\y.PY', 'notes.txt', 'LICENSE', 'Dockerfile'].map(languageOfFile),
    ).toEqual(['ts', 'py', '', '', 'dockerfile'])
  })
})

describe('a call that searches', () => {
  it('is told with what it looks for, and what is certain to be in a match', () => {
    const search = (to: string, args: object) => searchCall(call(to, args))
    expect(search('Grep', { pattern: 'tide', path: '/sea' })).toEqual({
      pattern: 'tide',
      where: '/sea',
      literals: ['tide'],
    })
    expect(search('search_file_content', { pattern: 'a\\.b|\\bebb\\b' })?.literals).toEqual([
      'a.b',
      'ebb',
    ])
    expect(search('search_files', { regex: 't.de', path: '.' })?.literals).toEqual([])
    expect(search('grep_search', { query: '(a+)+b' })?.literals).toEqual([])
    expect(search('Glob', { pattern: '**/*.ts' })?.pattern).toBe('**/*.ts')
    expect(search('Read', { pattern: 'tide' })).toBeUndefined()
  })

  it.each([
    ['Claude Code', '/sea/tide.ts:3:the tide\n/sea/tide.ts:9:a tide\n/sea/list.md:1:# tide'],
    [
      'OpenCode',
      'Found 3 matches\n/sea/tide.ts:\n  Line 3: the tide\n  Line 9: a tide\n\n/sea/list.md:\n  Line 1: # tide',
    ],
    [
      'Gemini CLI',
      'Found 3 matches for pattern "tide":\n---\nFile: /sea/tide.ts\nL3: the tide\nL9: a tide\n---\nFile: /sea/list.md\nL1: # tide\n---',
    ],
    [
      'Roo Code',
      'Found 3 results.\n\n# /sea/tide.ts\n  3 | the tide\n----\n  9 | a tide\n----\n\n# /sea/list.md\n  1 | # tide\n----',
    ],
  ])('has hits by file as %s writes them', (_, text) => {
    expect(foundFiles(text)?.files).toEqual([
      {
        path: '/sea/tide.ts',
        lines: [
          { number: 3, text: 'the tide' },
          { number: 9, text: 'a tide' },
        ],
      },
      { path: '/sea/list.md', lines: [{ number: 1, text: '# tide' }] },
    ])
  })

  it('has names of files alone, and lines around hits', () => {
    expect(foundFiles('Found 2 files\nsrc/a.ts\nsrc/b.ts')).toEqual({
      files: [
        { path: 'src/a.ts', lines: [] },
        { path: 'src/b.ts', lines: [] },
      ],
      others: ['Found 2 files'],
    })
    expect(
      foundFiles(
        'a/b.ts-2-before\na/b.ts:3:hit\na/b.ts-4-after\n--\na/b.ts:9:hit',
      )?.files[0]?.lines.map(({ number }) => number),
    ).toEqual([2, 3, 4, 9])
  })

  it('is drawn as it came where most of it is something else', () => {
    expect(foundFiles('No files found')).toBeUndefined()
    expect(
      foundFiles('The tide: 12:30 today.\nIt is high.\nThen low.\nAnd so on.\nAgain.'),
    ).toBeUndefined()
    expect(foundFiles('')).toBeUndefined()
  })
})

describe('a list of tasks', () => {
  it.each([
    [
      'Claude Code',
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
          { content: 'c', status: 'pending' },
        ],
      },
    ],
    [
      'Codex',
      'update_plan',
      {
        plan: [
          { step: 'a', status: 'completed' },
          { step: 'b', status: 'in_progress' },
          { step: 'c', status: 'pending' },
        ],
      },
    ],
    [
      'Gemini CLI',
      'write_todos',
      {
        todos: [
          { description: 'a', status: 'completed' },
          { description: 'b', status: 'in_progress' },
          { description: 'c', status: 'pending' },
        ],
      },
    ],
    [
      'Copilot',
      'manage_todo_list',
      {
        todoList: [
          { id: 1, title: 'a', status: 'completed' },
          { id: 2, title: 'b', status: 'in-progress' },
          { id: 3, title: 'c', status: 'not-started' },
        ],
      },
    ],
    ['Roo Code', 'update_todo_list', { todos: '[x] a\n[-] b\n[ ] c' }],
  ])('has its states as %s writes them', (_, to, args) => {
    expect(listedTasks(call(to, args))).toEqual([
      { state: 'done', words: 'a' },
      { state: 'active', words: 'b' },
      { state: 'open', words: 'c' },
    ])
  })

  it('is none where a task is not understood: none is left out', () => {
    const unknown = {
      todos: [
        { content: 'a', status: 'pending' },
        { content: 'b', status: 'odd' },
      ],
    }
    expect(listedTasks(call('TodoWrite', unknown))).toBeUndefined()
    expect(listedTasks(call('TodoWrite', { todos: [] }))).toBeUndefined()
    expect(
      listedTasks(call('Other', { todos: [{ content: 'a', status: 'pending' }] })),
    ).toBeUndefined()
  })
})

describe('a call that goes to the web', () => {
  it('is told by its address, or by what it searches for', () => {
    expect(webCall(call('WebFetch', { url: 'https://a.example', prompt: 'What is it?' }))).toEqual({
      address: 'https://a.example',
      asked: 'What is it?',
    })
    expect(webCall(call('google_web_search', { query: 'tides' }))).toEqual({ query: 'tides' })
    expect(webCall(call('Bash', { url: 'https://a.example' }))).toBeUndefined()
  })

  it('has the pages that were found, and what is said around them', () => {
    const links = JSON.stringify([{ title: 'Tides', url: 'https://a.example' }])
    expect(foundPages(`Found for "tides"\n\nLinks: ${links}\n\nThey come twice.`)).toEqual({
      pages: [{ title: 'Tides', address: 'https://a.example' }],
      rest: 'Found for "tides"\n\nThey come twice.',
    })
    expect(
      foundPages(JSON.stringify({ results: [{ url: 'u', content: 'words' }] }))?.pages,
    ).toEqual([{ title: '', address: 'u', words: 'words' }])
    expect(foundPages('[{"a":1}]')).toBeUndefined()
    expect(foundPages('nothing')).toBeUndefined()
  })
})

it('a call that gives another agent a task is told by its prompt', () => {
  const args = { description: 'Look', prompt: 'Look for tides', subagent_type: 'explorer' }
  expect(taskCall(call('Task', args))).toEqual({
    prompt: 'Look for tides',
    title: 'Look',
    agent: 'explorer',
  })
  expect(taskCall(call('new_task', { mode: 'code', message: 'Go on' }))).toEqual({
    prompt: 'Go on',
    agent: 'code',
  })
  expect(taskCall(call('Task', { prompt: '' }))).toBeUndefined()
})
