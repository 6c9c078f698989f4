import { expect, it } from 'vitest'
import { diffLines } from '../../../../src/shared/model/calls/diff-lines'
import { fileEdits } from '../../../../src/shared/model/calls/file-edits'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'

function call(args: unknown, more: Partial<Entry> = {}): Entry {
  return {
    ...message(typeof args === 'string' ? args : JSON.stringify(args)),
    ...{ entry_type: 'tool_call', to: 'edit', file: 'f', offset: 0, length: 1 },
    ...more,
  }
}

it('shows an old and a new text as a diff, by the names of several tools', () => {
  for (const [path, old, now] of [
    ['file_path', 'old_string', 'new_string'],
    ['path', 'old_str', 'new_str'],
    ['fileName', 'oldText', 'newText'],
  ] as const) {
    const [edit, ...more] = fileEdits(
      call({ [path]: 'beds.md', [old]: 'a\nb\nc', [now]: 'a\nB\nc' }),
    )
    expect(more).toEqual([])
    expect(edit).toMatchObject({ path: 'beds.md', type: 'change', added: 1, removed: 1 })
    expect(diffLines(edit?.diff ?? '').lines.map(({ type, text }) => [type, text])).toEqual([
      ['hunk', '@@ -1,3 +1,3 @@'],
      ['same', 'a'],
      ['removed', 'b'],
      ['added', 'B'],
      ['same', 'c'],
    ])
  }
})

it('shows a whole content as added, and an empty new text as removed', () => {
  expect(fileEdits(call({ path: 'a', content: 'x\ny\n' }))).toMatchObject([
    { type: 'write', added: 2, removed: 0 },
  ])
  expect(fileEdits(call({ path: 'a', old_string: 'x', new_string: '' }))).toMatchObject([
    { added: 0, removed: 1 },
  ])
})

it('takes the content of a call for a file only where its tool changes files', () => {
  expect(fileEdits(call({ path: 'src', text: 'pear' }, { to: 'search_file' }))).toEqual([])
  expect(fileEdits(call({ path: 'a', text: 'pear' }, { to: 'create_file' }))).toHaveLength(1)
})

it('shows several replacements of one file together, and those of several by file', () => {
  const several = fileEdits(
    call({
      file_path: 'beds.md',
      edits: [
        { old_string: 'pear', new_string: 'apple' },
        { old_string: '-- old\n', new_string: '-- new\n+ more\n' },
      ],
    }),
  )
  expect(several).toMatchObject([{ path: 'beds.md', added: 3, removed: 2 }])
  const byFile = fileEdits(
    call({
      explanation: 'two files',
      replacements: [
        { filePath: 'a', oldString: 'x', newString: 'y' },
        { filePath: 'b', oldString: 'x', newString: '' },
      ],
    }),
  )
  expect(byFile.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['a', 1, 1],
    ['b', 0, 1],
  ])
})

it('shows blocks of SEARCH and REPLACE, in both forms', () => {
  for (const [search, replace] of [
    ['<<<<<<< SEARCH', '>>>>>>> REPLACE'],
    ['------- SEARCH', '+++++++ REPLACE'],
  ]) {
    const diff = [search, 'pear', '=======', 'pear, cut', replace, ''].join('\n')
    const [edit] = fileEdits(call({ path: 'trees.txt', diff }, { to: 'replace_in_file' }))
    expect(edit).toMatchObject({ path: 'trees.txt', added: 1, removed: 1 })
    expect(edit?.diff).toContain('-pear\n+pear, cut')
  }
})

it('shows a unified diff as it is', () => {
  const diff = '--- a/trees.txt\n+++ b/trees.txt\n@@ -4,1 +4,2 @@ orchard\n pear\n+plum\n'
  expect(fileEdits(call({ path: 'trees.txt', diff }, { to: 'apply_diff' }))).toMatchObject([
    { path: 'trees.txt', diff, added: 1, removed: 0 },
  ])
})

it('shows the files of a patch, in an argument, in words for a shell, and as it stands', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.txt',
    '+one',
    '+two',
    '*** Update File: trees.txt',
    '*** Move to: orchard/trees.txt',
    '@@ orchard',
    ' apple',
    '-pear',
    '+pear, cut',
    '',
    ' plum',
    '@@',
    '-cherry',
    'what is this',
    '+cherries',
    '*** End of File',
    '*** Delete File: old.txt',
    '*** End Patch',
  ].join('\n')
  for (const args of [{ input: patch }, { command: ['apply_patch', patch] }, patch]) {
    const edits = fileEdits(call(args, { to: 'apply_patch' }))
    expect(edits.map(({ diff: _, ...edit }) => edit)).toEqual([
      { path: 'new.txt', type: 'write', added: 2, removed: 0 },
      {
        path: 'trees.txt',
        movedTo: 'orchard/trees.txt',
        type: 'change',
        added: 2,
        removed: 2,
      },
      { path: 'old.txt', type: 'delete', added: 0, removed: 0 },
    ])
    expect(
      diffLines(edits[1]?.diff ?? '').lines.map(({ type, text }) => `${type}:${text}`),
    ).toEqual([
      'hunk:@@ -1,4 +1,4 @@ orchard',
      'same:apple',
      'removed:pear',
      'added:pear, cut',
      'same:',
      'same:plum',
      'hunk:@@ -1,1 +1,0 @@',
      'removed:cherry',
      'note:what is this',
      'hunk:@@ -1,0 +1,1 @@',
      'added:cherries',
      'note:*** End of File',
    ])
  }
})

it('takes what a call says of its own file, though its texts are about patches', () => {
  const patch = '*** Begin Patch\n*** Delete File: src/main.ts\n*** End Patch'
  const blocks = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE'
  for (const text of [patch, `of ${patch}`, blocks]) {
    const edit = call({ file_path: 'docs/patch.md', old_string: 'x', new_string: text })
    expect(fileEdits(edit).map(({ path, removed }) => [path, removed])).toEqual([
      ['docs/patch.md', 1],
    ])
    expect(fileEdits(call({ path: 'docs/patch.md', content: text }))).toMatchObject([
      { path: 'docs/patch.md', type: 'write', removed: 0 },
    ])
  }
})

it('takes a patch in the words of another tool for words', () => {
  const body = 'Applied:\n*** Begin Patch\n*** Delete File: src/main.ts\n*** End Patch'
  expect(fileEdits(call({ body }, { to: 'create_issue' }))).toEqual([])
  expect(fileEdits(call({ command: body }, { to: 'Bash' }))).toHaveLength(1)
})

it('shows texts that have nothing in common as replaced, without looking for more', () => {
  const lines = (word: string) => Array.from({ length: 12_000 }, (_, n) => `${word}${n}`).join('\n')
  const [edit] = fileEdits(call({ path: 'a', old_string: lines('a'), new_string: lines('b') }))
  expect(edit).toMatchObject({ added: 12_000, removed: 12_000 })
})

it('shows nothing for a call that changes no file, for what is no JSON, and for a result', () => {
  expect(fileEdits(call({ command: 'ls' }))).toEqual([])
  expect(fileEdits(call({ path: 'a' }))).toEqual([])
  expect(fileEdits(call('{"path": "a", "content": '))).toEqual([])
  expect(fileEdits(call({ path: 'a', content: 'x' }, { entry_type: 'tool_result' }))).toEqual([])
  expect(fileEdits(call({ path: 'a', content: 'x'.repeat(300_000) }))).toEqual([])
})
