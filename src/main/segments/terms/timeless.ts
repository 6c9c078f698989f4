import { isTimeless, isTimelessUnit } from '../../../shared/model/basics/fold'

/** Answers by unit: 1 timeless, 2 not, 3 half of a pair, 0 not asked yet. */
const answers = new Uint8Array(0x10000)

/** Returns true where every character of a text is timeless (`isTimeless`), from a table by unit. */
export function areTimeless(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const answer = answers[unit] || ask(unit)
    if (answer === 1) continue
    if (answer === 2 || i + 1 >= text.length) return false
    if (!isTimeless(text.slice(i, i + 2))) return false
    i++
  }
  return true
}

function ask(unit: number): number {
  const answer = (unit & 0xf800) === 0xd800 ? 3 : isTimelessUnit(unit) ? 1 : 2
  answers[unit] = answer
  return answer
}
