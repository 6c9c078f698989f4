import { isTimeless, isTimelessUnit } from '../../shared/model/fold'

/** Answers by unit: 1 timeless, 2 not, 3 half of a pair, 0 not asked yet. */
const answers = new Uint8Array(0x10000)

/** `isTimeless` over units, at the speed of a loop. */
export function areTimeless(units: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    const unit = units[i] ?? 0
    const answer = answers[unit] || ask(unit)
    if (answer === 1) continue
    if (answer === 2 || i + 1 >= length) return false
    if (!isTimeless(String.fromCharCode(unit, units[i + 1] ?? 0))) return false
    i++
  }
  return true
}

function ask(unit: number): number {
  const answer = (unit & 0xf800) === 0xd800 ? 3 : isTimelessUnit(unit) ? 1 : 2
  answers[unit] = answer
  return answer
}
