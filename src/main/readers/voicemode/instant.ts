/** The part after the minutes in ISO 8601, with an offset: without one the hour is ambiguous. */
const behindMinutes = /(?::(\d\d)(?:[.,](\d{1,12}))?)?(?:Z|([+-])(\d\d):?(\d\d)?)$/iy

/**
 * Parses an ISO 8601 time with an offset to Unix seconds with up to six decimals; undefined for other text, such as
 * the 31st of February. Without a regular expression where possible: an index of a day calls it for each line.
 */
export function instantOf(text: string): number | undefined {
  if (!hasControls(text)) return undefined
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const [hours, minutes] = [digits(text, 11, 13), digits(text, 14, 16)]
  const rest = usualRest(text) ?? anyRest(text)
  if (rest === undefined || Number.isNaN(year)) return undefined
  const { seconds, micros, shift } = rest
  // A leap second is one; what is no number is not less than anything.
  if (!(hours < 24 && minutes < 60 && seconds <= 60)) return undefined
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined
  const whole =
    daysBefore(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds - shift
  // One division of whole numbers: the number that is closest to the decimal one.
  return (whole * 1e6 + micros) / 1e6
}

/** The part after the minutes, in seconds and millionths of them; `shift` is the offset from UTC in seconds. */
interface Rest {
  readonly seconds: number
  readonly micros: number
  readonly shift: number
}

/** `:05.123456+00:00` as Python writes it, and with `Z`; undefined for what is written otherwise. */
function usualRest(text: string): Rest | undefined {
  const { length } = text
  const isUtc = text[length - 1] === 'Z'
  const sign = isUtc ? 'Z' : text[length - 6]
  const zone = length - (isUtc ? 1 : 6)
  const places = zone - 20
  if (text[16] !== ':' || text[19] !== '.' || places < 1 || places > 6) return undefined
  if (!isUtc && ((sign !== '+' && sign !== '-') || text[length - 3] !== ':')) return undefined
  const seconds = digits(text, 17, 19)
  const micros = digits(text, 20, zone) * 10 ** (6 - places)
  const ahead = isUtc ? 0 : digits(text, zone + 1, zone + 3) * 60 + digits(text, zone + 4, zone + 6)
  const shift = ahead * (sign === '-' ? -60 : 60)
  return Number.isNaN(seconds + micros + shift) ? undefined : { seconds, micros, shift }
}

function anyRest(text: string): Rest | undefined {
  behindMinutes.lastIndex = 16
  const found = behindMinutes.exec(text)
  if (found === null) return undefined
  const [, second = '0', fraction = '', sign, ahead = '0', minutesAhead = '0'] = found
  const shift = (Number(ahead) * 60 + Number(minutesAhead)) * (sign === '-' ? -60 : 60)
  return { seconds: Number(second), micros: Number(fraction.slice(0, 6).padEnd(6, '0')), shift }
}

/** `....-..-..T..:..` */
function hasControls(text: string): boolean {
  const between = text[10]
  return (
    text[4] === '-' &&
    text[7] === '-' &&
    (between === 'T' || between === 't' || between === ' ') &&
    text[13] === ':'
  )
}

/** NaN where something else is there. */
function digits(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Days from 1970 to a day of the Gregorian calendar. */
function daysBefore(year: number, month: number, day: number): number {
  // Years that begin in March end with the day that some of them have.
  const of = month > 2 ? year : year - 1
  const leaps = Math.floor(of / 4) - Math.floor(of / 100) + Math.floor(of / 400)
  const inYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return of * 365 + leaps + inYear - 719_468
}
