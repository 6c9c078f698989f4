import { z } from 'zod'
import { assertNever } from '../basics/errors'
import { weekdayOf } from './calendar'
import type { FactsCell } from './conversation-facts'
import type { SelectedFacts } from './selection'
import { branchSteps, isInStep, lengthSteps } from './steps'

const Names = z.array(z.string().max(10_000).nullable()).max(10_000)
const Step = z.int().min(0).max(50)

/** A mark of a picture: which of the selected conversations it stands for. */
export const StatisticsMark = z.discriminatedUnion('type', [
  /** All of them. */
  z.object({ type: z.literal('all') }),
  /** With entries that count there; of a weekday (1 for Monday) and hour alone where they are given. */
  z.object({
    type: z.literal('entries'),
    weekday: z.int().min(1).max(7).optional(),
    hour: z.int().min(0).max(23).optional(),
  }),
  /** With records of usage, in these days, of one of these models, in one of these projects; null is none. */
  z.object({
    type: z.literal('usage'),
    from: z.string().max(20).optional(),
    until: z.string().max(20).optional(),
    models: Names.optional(),
    projects: Names.optional(),
  }),
  z.object({ type: z.literal('project'), project: z.string().max(10_000).nullable() }),
  /** With entries of the model. */
  z.object({ type: z.literal('model'), model: z.string().max(10_000).nullable() }),
  /** With calls of a tool, or failures of it; of any where none is given. */
  z.object({
    type: z.literal('tool'),
    tool: z.string().max(10_000).optional(),
    isFailed: z.boolean(),
  }),
  /** By the position in `lengthSteps`. */
  z.object({ type: z.literal('length'), step: Step }),
  /** Whose family is of a step of `branchSteps`. */
  z.object({ type: z.literal('branches'), step: Step }),
  /** With turn-arounds of a step of `turnaroundSteps`; of any where none is given. */
  z.object({ type: z.literal('turnaround'), step: Step.optional() }),
  /** That end with an error, that nobody answered, or that have no title of their own. */
  z.object({ type: z.literal('state'), state: z.enum(['failed', 'unfinished', 'untitled']) }),
])
export type StatisticsMark = Readonly<z.infer<typeof StatisticsMark>>

/** Families of a selection, by the positions of their members. */
export type SelectedFamilies = readonly (readonly number[])[]

/** Returns the positions of the selected conversations that a mark stands for. */
export function conversationsOfMark(
  selected: readonly SelectedFacts[],
  families: SelectedFamilies,
  mark: StatisticsMark,
): readonly number[] {
  if (mark.type === 'branches') {
    const step = branchSteps[mark.step]
    if (step === undefined) return []
    return families
      .filter((members) => isInStep(countLeaves(selected, members), step))
      .flat()
      .sort((a, b) => a - b)
  }
  return selected.flatMap((one, at) => (isOfMark(one, mark) ? [at] : []))
}

/** Counts the branches of a family: the ends that its members have. */
export function countLeaves(
  selected: readonly SelectedFacts[],
  members: readonly number[],
): number {
  return members.reduce((sum, at) => sum + (selected[at]?.facts.leaves ?? 0), 0)
}

/** Returns how many turn-arounds of a cell count, by their step. */
export function turnsOf(
  { speech }: FactsCell,
  from: string | undefined,
): ReadonlyMap<number, number> {
  const steps = new Map<number, number>()
  for (const turns of speech?.turns ?? [])
    if (from === undefined || turns.from >= from)
      for (const [step, count] of turns.steps) steps.set(step, (steps.get(step) ?? 0) + count)
  return steps
}

function isOfMark(
  { facts, cells, length, from }: SelectedFacts,
  mark: Exclude<StatisticsMark, { type: 'branches' }>,
): boolean {
  switch (mark.type) {
    case 'all':
      return true
    case 'entries':
      return cells.some(
        ({ entries, day, hour }) =>
          entries > 0 &&
          (mark.weekday === undefined || (day !== '' && weekdayOf(day) === mark.weekday)) &&
          (mark.hour === undefined || hour === mark.hour),
      )
    case 'usage':
      return (
        (mark.projects?.includes(facts.project) ?? true) &&
        cells.some(
          ({ usages, day, model }) =>
            usages > 0 &&
            (mark.from === undefined || day >= mark.from) &&
            (mark.until === undefined || day <= mark.until) &&
            (mark.models?.includes(model) ?? true),
        )
      )
    case 'project':
      return facts.project === mark.project
    case 'model':
      return cells.some(({ entries, model }) => entries > 0 && model === mark.model)
    case 'tool':
      return cells.some(({ calls, failures }) =>
        (mark.isFailed ? failures : calls).some(
          ([name]) => mark.tool === undefined || name === mark.tool,
        ),
      )
    case 'length': {
      const step = lengthSteps[mark.step]
      return step !== undefined && isInStep(length, step)
    }
    case 'turnaround':
      return cells.some((cell) => {
        const turns = turnsOf(cell, from)
        return mark.step === undefined ? turns.size > 0 : turns.has(mark.step)
      })
    case 'state':
      return mark.state === 'untitled' ? !facts.isTitled : facts.end === mark.state
    default:
      return assertNever(mark)
  }
}
