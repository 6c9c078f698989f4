import { expect, it } from 'vitest'
import { splitWrapped } from '../../../../../src/main/readers/cursor/lines/wrappers'

it('words in Cursor’s wrapper are a person’s, without the wrapper, and what is beside them is not', () => {
  const text =
    '<user_info>\nOS: linux\n</user_info>\n<attached_files a="1">\nb.md\n</attached_files>\n<user_query>\n rake it \n</user_query>\n<system_reminder>be brief</system_reminder>'
  expect(splitWrapped(text)).toEqual([
    { content: '<user_info>\nOS: linux\n</user_info>', wrapper: 'user_info' },
    { content: '<attached_files a="1">\nb.md\n</attached_files>', wrapper: 'attached_files' },
    { content: 'rake it' },
    { content: '<system_reminder>be brief</system_reminder>', wrapper: 'system_reminder' },
  ])
})

it('the same tags in the middle, tags of a person’s own, and tags without an end stay as they are', () => {
  for (const text of [
    'what does <user_query>x</user_query> mean?',
    '<div>a page</div>',
    '<user_query>no end',
    '',
  ])
    expect(splitWrapped(text)).toEqual([{ content: text }])
})

it('words behind the wrapper are a person’s too', () => {
  expect(splitWrapped('<user_query>a</user_query> and b')).toEqual([
    { content: 'a' },
    { content: 'and b' },
  ])
})
