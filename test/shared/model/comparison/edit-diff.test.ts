import { expect, it } from 'vitest'
import { diffLines } from '../../../../src/renderer/ui/text/diff-lines'
import { editDiff } from '../../../../src/shared/model/comparison/edit-diff'
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
    const edit = editDiff(call({ [path]: 'beds.md', [old]: 'a\nb\nc', [now]: 'a\nB\nc' }))
    expect(edit).toMatchObject({ path: 'beds.md', added: 1, removed: 1 })
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
  expect(editDiff(call({ path: 'a', content: 'x\ny\n' }))).toMatchObject({ added: 2, removed: 0 })
  expect(editDiff(call({ path: 'a', old_string: 'x', new_string: '' }))).toMatchObject({
    added: 0,
    removed: 1,
  })
})

it('shows nothing for a call that changes no file, for what is no JSON, and for a result', () => {
  expect(editDiff(call({ command: 'ls' }))).toBeUndefined()
  expect(editDiff(call({ path: 'a' }))).toBeUndefined()
  expect(editDiff(call('{"path": "a", "content": '))).toBeUndefined()
  expect(editDiff(call({ path: 'a', content: 'x' }, { entry_type: 'tool_result' }))).toBeUndefined()
  expect(editDiff(call({ path: 'a', content: 'x'.repeat(300_000) }))).toBeUndefined()
})
