import { expect, it } from 'vitest'
import { changedFiles } from '../../../../src/shared/model/comparison/changed-files'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'

function entry(fields: Partial<Entry>): Entry {
  const at = { file: 'f', offset: 0, length: 1, timestamp: null }
  return {
    id: EntryId.parse('e'),
    from: 'a',
    to: 'a',
    content: '',
    entry_type: 'message',
    ...at,
    ...fields,
  }
}
const call = (to: string, args: unknown, id?: string) =>
  entry({
    entry_type: 'tool_call',
    to,
    content: typeof args === 'string' ? args : JSON.stringify(args),
    ...(id === undefined ? {} : { tool_call_id: id }),
  })
const result = (content: string, id: string) =>
  entry({ entry_type: 'tool_result', content, tool_call_id: id })

it('lists the files that calls name, by path, with their tools', () => {
  expect(
    changedFiles([
      call('write_file', { path: 'beds.md', content: 'x' }),
      call('ReplaceOneInFile', { path: 'beds.md', oldStr: 'x', newStr: 'y' }),
      call('Write', { file_path: '/a/plan.md', content: '' }),
      call('str_replace_based_edit_tool', { command: 'insert', path: 'c.md' }),
      call('apply_patch', {
        patch: '*** Begin Patch\n*** Update File: src/a.ts\n*** Add File: b.ts\n',
      }),
    ]),
  ).toEqual([
    { path: '/a/plan.md', tools: ['Write'], calls: 1 },
    { path: 'b.ts', tools: ['apply_patch'], calls: 1 },
    { path: 'beds.md', tools: ['write_file', 'ReplaceOneInFile'], calls: 2 },
    { path: 'c.md', tools: ['str_replace_based_edit_tool'], calls: 1 },
    { path: 'src/a.ts', tools: ['apply_patch'], calls: 1 },
  ])
})

it('leaves out calls that failed, only read, or name no file', () => {
  expect(
    changedFiles([
      call('write_file', { path: 'denied.md' }, 'c1'),
      result('Error: the person did not allow it', 'c1'),
      call('write_file', { path: 'done.md' }, 'c1'),
      result('Wrote 3 bytes.', 'c1'),
      call('str_replace_editor', { command: 'view', path: 'seen.md' }),
      call('file_head', { path: 'read.md' }),
      call('write_file', '{"path":"cut'),
      call('write_file', { path: 7 }),
      call('write_file', '[]'),
    ]),
  ).toEqual([{ path: 'done.md', tools: ['write_file'], calls: 1 }])
})
