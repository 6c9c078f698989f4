import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import { exporterOf } from '../../../exporters/index'
import type { Permissions } from '../../../permission/permissions'
import { sessionQuestion } from '../../../permission/session-question'
import type { CurrentHome } from '../../current/current-home'
import type { ExportDialogs } from '../exports'

/** Serves the calls of `continuingContract`. */
export function continuingHandlers(
  home: CurrentHome<'exports' | 'continuing'>,
  permissions: Pick<Permissions, 'require'>,
  { shown }: Pick<ExportDialogs, 'shown'>,
): Handlers<Contract['continuing']> {
  return {
    async command({ key }) {
      return { command: await home().continuing.commandOf(key, new AbortController().signal) }
    },

    async save({ key, format }) {
      const exporter = exporterOf(format)
      const { exports, continuing } = home()
      const one = await exports.open(key, { exporter }, new AbortController().signal)
      const place = await continuing.placeOf(exporter, one.conversation)
      await permissions.require(sessionQuestion(place), 'Nothing was written.')
      const bytes = await one.saveInProgram(place)
      const { file, command } = place
      return { file: shown(file), bytes, ...one.counts(), unread: [...one.unread()], command }
    },
  }
}
