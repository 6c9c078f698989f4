import { z } from 'zod'
import { AppError } from '../basics/errors'
import { longestTag, tagLine } from './tag'

/** Colours of labels, in the order in which they are offered. */
export const labelColors = ['blue', 'green', 'yellow', 'orange', 'red', 'purple'] as const
/** Colour of a label. */
export const LabelColor = z.enum(labelColors)
export type LabelColor = z.infer<typeof LabelColor>

/** A word and a colour that a person gives to an entry. */
export const Label = z.object({ word: z.string(), color: LabelColor })
export type Label = z.infer<typeof Label>

/** Checks a label that a person asks for; its word becomes one line of visible characters. @throws AppError `bad-argument` */
export function checkedLabel({ word, color }: Label): Label {
  const line = tagLine(word)
  if (line === undefined)
    throw new AppError('bad-argument', `A label has 1 to ${longestTag} visible characters.`)
  return { word: line, color }
}
