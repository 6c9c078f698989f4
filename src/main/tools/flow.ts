import { z } from 'zod'
import { defineTool } from './base/define-tool'
import type { Tool } from './base/tool'

/** call_user gives the word to the person; call_agent takes it again, with a prompt of the model's own. */
export const flowTools: readonly Tool[] = [
  defineTool({
    name: 'call_user',
    description: 'Ends the turn and gives the word to the person, with a message if there is one.',
    effect: 'flow',
    ends: 'turn',
    args: z.strictObject({
      message: z.string().optional().describe('What the person is told'),
    }),
    // chibi's words; the message itself is in the call's arguments.
    run: async () => 'Returning to user',
  }),
  defineTool({
    name: 'call_agent',
    description: 'Goes on with another turn of your own, which begins with this prompt.',
    effect: 'flow',
    ends: 'round',
    args: z.strictObject({ prompt: z.string().min(1).describe('What to go on with') }),
    run: async ({ prompt }) => prompt,
  }),
]
