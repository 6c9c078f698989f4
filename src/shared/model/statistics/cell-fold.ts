import type { Entry } from '../conversation/entry'
import type { FactsCell } from './conversation-facts'
import { addCount } from './counts'
import { SpeechFold, type SpeechRecord } from './speech-fold'
import { addCosts, addTokens, noTokens, type TokenCounts } from './token-counts'

/** A cell while its entries are added up. */
export class CellFold {
  private readonly day: string | null
  private readonly hour: number
  private readonly model: string | null
  private readonly types = new Map<string, number>()
  private readonly roles = new Map<string, number>()
  private readonly calls = new Map<string, number>()
  private readonly failures = new Map<string, number>()
  private readonly bytes = new Map<string, number>()
  private readonly output = new Map<string, number>()
  private entries = 0
  private usages = 0
  private tokens = noTokens
  private cost: number | null = null
  private speech: SpeechFold | undefined

  /** @param day null for entries without a time */
  constructor(day: string | null, hour: number, model: string | null) {
    this.day = day
    this.hour = hour
    this.model = model
  }

  addEntry(type: string, role: string, bytes: number): void {
    this.entries += 1
    addCount(this.types, type)
    addCount(this.roles, role)
    addCount(this.bytes, role, bytes)
  }

  addCall(tool: string): void {
    addCount(this.calls, tool)
  }

  addFailure(tool: string): void {
    addCount(this.failures, tool)
  }

  addOutput(tool: string, bytes: number): void {
    addCount(this.output, tool, bytes)
  }

  addUsage(tokens: TokenCounts, cost: number | null): void {
    this.usages += 1
    this.tokens = addTokens(this.tokens, tokens)
    this.cost = addCosts(this.cost, cost)
  }

  addSpeech(entry: Entry, record: SpeechRecord): void {
    this.speech ??= new SpeechFold()
    this.speech.add(entry, record)
  }

  /** Adds the turn-around before an entry that was just added with its speech. */
  addTurn(from: string, seconds: number): void {
    this.speech?.addTurn(from, seconds)
  }

  /** @param timeless the day of entries without a time */
  facts(timeless: string): FactsCell {
    const { hour, model, entries, usages, tokens, cost } = this
    return {
      day: this.day ?? timeless,
      hour,
      model,
      entries,
      types: [...this.types],
      roles: [...this.roles],
      calls: [...this.calls],
      failures: [...this.failures],
      bytes: [...this.bytes],
      output: [...this.output],
      usages,
      tokens,
      cost,
      speech: this.speech?.facts() ?? null,
    }
  }
}
