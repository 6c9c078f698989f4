import type { Random } from '../../bench/support/random'

/** Writes short texts of every kind of script, with what is hard to search: marks, ligatures, escapes, halves of pairs. */
export function anyScript(random: Random): { text(pieces: number): string } {
  const between = (least: number, most: number) => least + random.below(most - least + 1)
  const run = (least: number, most: number, unit: () => string) =>
    Array.from({ length: between(least, most) }, unit).join('')
  const from = (letters: string) => {
    const list = [...letters]
    return () => list[random.below(list.length)] ?? ''
  }
  const range = (first: number, last: number) => () => String.fromCodePoint(between(first, last))
  const word = () => run(1, 9, from('eeeetaoinshrdlucmfwypvbgkqjxz'))
  const kinds: readonly [() => string, ...(() => string)[]] = [
    word,
    word,
    word,
    () => word().toUpperCase(),
    () => `${word()}_${word()}`,
    () => `${word()}${word().replace(/^./, (first) => first.toUpperCase())}${random.below(300)}`,
    () => run(2, 40, from('0123456789abcdef')),
    () => run(1, 60, from('ABCDEFabcdefXYZxyz0123456789+/')),
    () => `/${word()}/${word()}.${word()}`,
    () => String(random.below(10 ** between(1, 9))),
    () => run(1, 8, range(0x4e00, 0x4e40)),
    () => run(1, 6, from('がかきぎくぱはバハヴウー')),
    () => run(1, 4, () => from('かはウハ')() + from('\u3099\u309a')()),
    () => run(1, 4, () => from('ｶﾊｳ')() + from('ﾞﾟ')()),
    () => run(1, 5, range(0xac00, 0xac20)),
    () =>
      run(
        1,
        3,
        () => `${range(0x1100, 0x1104)()}${range(0x1161, 0x1164)()}${from('\u11a8\u11ab')()}`,
      ),
    () => run(1, 8, from('абвгдёйЖЩЪπστυςΣΑΩάέ')),
    () => run(1, 6, from('ßéÉüÜñÑøØİıǅﬁﬂŉſKÅẞ')),
    () => run(1, 4, () => from('eaoucnEAO')() + run(1, 2, from('\u0301\u0308\u0323\u0327'))),
    () => run(1, 6, from('ＡｂＣ１２！①②Ⅷ㎏㈱™²½…‼')),
    () => run(1, 3, from('🎉😀👩‍💻🇩🇪𝓢𝔘𐐀𐐨𠀀')),
    () => run(1, 3, from('→✓•─—“”„«»\u00a0\u2028\ufeff')),
    () => run(1, 3, range(0xd800, 0xdfff)),
    () => run(1, 4, range(0x80, 0xffff)),
    () => run(1, 2, range(0x10000, 0x10ffff)),
    () => run(1, 4, from('"\\\n\t\u0001\u001b/{}[]:,.=<>&\'`')),
    () => run(1, 4, from('กขคงไทย')),
    () => run(1, 5, from('مرحبا')),
    () => run(1, 5, from('नमस्ते')),
  ]
  const joint = from('     \n.,-_')
  return {
    text: (pieces) => Array.from({ length: pieces }, () => random.pick(kinds)() + joint()).join(''),
  }
}
