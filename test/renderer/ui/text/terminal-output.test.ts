import fc from 'fast-check'
import { expect, it } from 'vitest'
import { terminalOutput, terminalRuns } from '../../../../src/renderer/ui/text/terminal-output'

const esc = '\u001b'

function drawn(output: string): readonly (readonly [string, string])[] {
  return terminalRuns(terminalOutput(output)?.text ?? output).map(({ text, style }) => [
    text,
    style,
  ])
}

it('leaves an output without sequences and overwritten lines as it is', () => {
  expect(terminalOutput('plain\r\nlines\n')).toBeUndefined()
})

it('draws colours, styles and their ends', () => {
  expect(drawn(`a ${esc}[31mred ${esc}[1mbold${esc}[0m b`)).toEqual([
    ['a ', ''],
    ['red ', 'ansi-red'],
    ['bold', 'ansi-bold ansi-red'],
    [' b', ''],
  ])
  expect(drawn(`${esc}[1;4;92mok${esc}[22;24;39m.`)).toEqual([
    ['ok', 'ansi-bold ansi-underlined ansi-green'],
    ['.', ''],
  ])
})

it('draws each of the colours of xterm and of 16 million as one of the window\u2019s', () => {
  expect(drawn(`${esc}[38;5;196mr${esc}[38;2;20;200;30mg${esc}[38:2::30:40:250mb`)).toEqual([
    ['r', 'ansi-red'],
    ['g', 'ansi-green'],
    ['b', 'ansi-blue'],
  ])
  // Grey, a number that is none, and a colour that was cut off are the text's own.
  expect(drawn(`${esc}[38;5;244ma${esc}[38;5;999mb${esc}[38mc`)).toEqual([['abc', '']])
})

it('shows text on a ground in the window\u2019s own colour, so that it can be read', () => {
  expect(drawn(`${esc}[41;31mfail${esc}[0m ${esc}[7mbar`)).toEqual([
    ['fail', 'ansi-on-red'],
    [' ', ''],
    ['bar', 'ansi-on-plain'],
  ])
})

it('shows hidden text', () => {
  expect(drawn(`${esc}[8mhidden`)).toEqual([['hidden', '']])
})

it('shows a line that was written over as it was last, and counts the others', () => {
  const output = ` 10 %\r 50 %\r${esc}[32m100 %${esc}[0m\r\ndone\r\n`
  expect(terminalOutput(output)).toMatchObject({ overwritten: 2, controls: 0 })
  expect(drawn(output)).toEqual([
    ['100 %', 'ansi-green'],
    ['\ndone\n', ''],
  ])
  expect(drawn(`${esc}[31mred\rstill`)).toEqual([['still', 'ansi-red']])
})

it('leaves out what moves the cursor, sets titles and links, and counts it', () => {
  const output = `${esc}[2J${esc}[?25l${esc}]0;title\u0007a${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\${esc}(B`
  expect(terminalOutput(output)).toEqual({ text: 'alink', overwritten: 0, controls: 6 })
})

it('keeps a sequence that has no end as text', () => {
  const output = `a${esc}[31\n words ${esc}]0;no end`
  expect(terminalOutput(output)?.text).toBe(output)
})

it('loses no character that is not part of a sequence', () => {
  const piece = fc.oneof(
    fc.constantFrom(`${esc}[31m`, `${esc}[0m`, `${esc}[48;5;20m`, `${esc}[K`, `${esc}[1;1H`),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '[', 'm', '1', ';', '🌱') }),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const words = pieces.filter((one) => !one.startsWith(esc)).join('')
      const shown = terminalOutput(pieces.join('') + esc)?.text ?? ''
      const text = terminalRuns(shown)
        .map((run) => run.text)
        .join('')
      expect(text).toBe(words + esc)
    }),
  )
})
