import type { z } from 'zod'

/** A request that the renderer makes and main answers. Arguments are parsed in main, results only in tests. */
export interface Call<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly kind: 'call'
  readonly args: Args
  readonly result: Result
}

/** A message of main to every window. */
export interface Event<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event'
  readonly payload: Payload
}

/** Declares a call: the shapes of its arguments and of its result. */
export function call<Args extends z.ZodType, Result extends z.ZodType>(
  args: Args,
  result: Result,
): Call<Args, Result> {
  return { kind: 'call', args, result }
}

/** Declares an event and its payload. */
export function event<Payload extends z.ZodType>(payload: Payload): Event<Payload> {
  return { kind: 'event', payload }
}

/** One domain of the contract: its calls and events by name. */
export type Domain = Readonly<Record<string, Call | Event>>

/** The functions that serve a domain's calls. */
export type Handlers<D extends Domain> = {
  readonly [Name in keyof D as D[Name] extends Call ? Name : never]: D[Name] extends Call<
    infer Args,
    infer Result
  >
    ? (args: z.output<Args>) => Promise<z.input<Result>>
    : never
}

/** The functions by which the renderer uses a domain: calls by name, events as `on<Name>`. */
export type Client<D extends Domain> = {
  readonly [Name in keyof D as D[Name] extends Call ? Name : never]: D[Name] extends Call<
    infer Args,
    infer Result
  >
    ? (args: z.input<Args>) => Promise<z.output<Result>>
    : never
} & {
  readonly [Name in keyof D as D[Name] extends Event
    ? `on${Capitalize<Name & string>}`
    : never]: D[Name] extends Event<infer Payload>
    ? (listener: (payload: z.output<Payload>) => void) => () => void
    : never
}

/** The functions by which main sends a domain's events. */
export type Emitters<D extends Domain> = {
  readonly [Name in keyof D as D[Name] extends Event ? Name : never]: D[Name] extends Event<
    infer Payload
  >
    ? (payload: z.input<Payload>) => void
    : never
}
