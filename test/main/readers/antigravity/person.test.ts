import { expect, it } from 'vitest'
import { promptEntries } from '../../../../src/main/readers/antigravity/person'

const told = (content: string) =>
  promptEntries(content).map(({ content: text, metadata }) => [text, metadata?.raw_type])

it('parts a person’s words from what the program put beside them, each in its tags', () => {
  expect(
    told(
      'a <USER_REQUEST> sow peas </USER_REQUEST><OPEN_FILES>x <OPEN_FILES> y</OPEN_FILES> b <CLOCK>9</CLOCK></CLOCK> <LEFT>c',
    ),
  ).toEqual([
    ['sow peas', undefined],
    ['<OPEN_FILES>x <OPEN_FILES> y</OPEN_FILES>', 'OPEN_FILES'],
    ['<CLOCK>9</CLOCK>', 'CLOCK'],
    ['a  b </CLOCK> <LEFT>c', 'USER_INPUT'],
  ])
})

it('keeps a text whose request is not closed as the person’s', () => {
  const text = '<USER_REQUEST>sow peas'
  expect(told(text)).toEqual([[text, undefined]])
})

it('takes a time that grows with the text, however many tags nothing closes', () => {
  const open = Array.from({ length: 200_000 }, (_, n) => `<TAG_${n % 2 ? 'A' : 'B'}>`).join('')
  expect(told(`<USER_REQUEST>w</USER_REQUEST>${open}`)).toEqual([
    ['w', undefined],
    [open, 'USER_INPUT'],
  ])
  const requests = '<USER_REQUEST>'.repeat(200_000)
  expect(told(requests)).toEqual([[requests, undefined]])
})
