import { openPermissions, type Permissions } from '../../main/permission/permissions'
import { AppError } from '../../shared/model/basics/errors'
import { terminalText } from './output'
import type { AskPerson } from './person'

/**
 * Asks at the terminal what the window asks in a dialog of the system. Only "yes" in full allows it.
 *
 * @param person undefined where there is no terminal: then it is refused, with `otherwise` in the words
 */
export function terminalPermissions(person: AskPerson | undefined, otherwise: string): Permissions {
  return openPermissions(async ({ message, detail, answers }, signal) => {
    if (person === undefined)
      throw new AppError('denied', `There is no terminal to ask at. ${otherwise}`)
    const [answer = 'Yes'] = answers
    const shown = terminalText(`\n${message}\n\n${detail}\n\n${answer}? Type yes in full: `)
    const word = await person(shown, signal)
    return word?.trim() === 'yes' ? 0 : undefined
  })
}
