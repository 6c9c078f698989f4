import type { Sliced } from '../pacing/slices'
import { type ObjectPlaces, scanValue, type ValueEnd } from './json-scan'

/** A scan of a value that keeps where every object in it ends, or why it does not. */
export class ObjectScan implements ObjectPlaces {
  /** The offset it came to: what begins behind that is unknown to it. */
  reach = 0
  private fault: ValueEnd | undefined
  private readonly starts = new Numbers()
  /** In the order of the starts; 0 where the object did not end. */
  private readonly ends = new Numbers()
  private readonly open: number[] = []
  private next = 0

  /**
   * How a scan would end that begins at a brace; undefined where it has not come by there as by an object. Each place asked
   * for lies behind the one before.
   */
  endOf(at: number): ValueEnd | undefined {
    while (this.next < this.starts.length && this.starts.at(this.next) < at) this.next += 1
    if (this.next === this.starts.length || this.starts.at(this.next) !== at) return undefined
    const end = this.ends.at(this.next)
    return end > 0 ? { type: 'value', end } : this.fault
  }

  *read(bytes: Uint8Array, from: number): Sliced<ValueEnd> {
    const end = yield* scanValue(bytes, from, this)
    if (end.type === 'fault') this.fault = end
    this.reach = end.type === 'value' ? end.end : end.at
    return end
  }

  began(at: number): void {
    this.open.push(this.starts.length)
    this.starts.push(at)
    this.ends.push(0)
  }

  ended(end: number): void {
    const index = this.open.pop()
    if (index !== undefined) this.ends.set(index, end)
  }
}

const fewest = 256
const pageLength = 65_536

/** Places in a line: 4 bytes each, and never copied while there come more. */
class Numbers {
  length = 0
  private readonly first: number[] = []
  private readonly pages: Uint32Array[] = []

  push(value: number): void {
    const index = this.length - fewest
    if (index < 0) this.first.push(value)
    else {
      if (index % pageLength === 0) this.pages.push(new Uint32Array(pageLength))
      this.write(index, value)
    }
    this.length += 1
  }

  at(index: number): number {
    if (index < fewest) return this.first[index] ?? 0
    const behind = index - fewest
    return this.pages[Math.floor(behind / pageLength)]?.[behind % pageLength] ?? 0
  }

  set(index: number, value: number): void {
    if (index < fewest) this.first[index] = value
    else this.write(index - fewest, value)
  }

  private write(index: number, value: number): void {
    const page = this.pages[Math.floor(index / pageLength)]
    if (page !== undefined) page[index % pageLength] = value
  }
}
