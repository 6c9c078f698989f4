import {
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { FluuxAttachment, FluuxReaction, optionalFields } from './fields'

const message = knownObject(['content', ...optionalFields.keys()], {
  role: knownNames(['user', 'assistant']),
  attachments: knownList(knownObject(Object.keys(FluuxAttachment.shape))),
  reaction: knownObject(Object.keys(FluuxReaction.shape)),
})

/** Table of what the reader knows of fluux-agent's lines; the version is that of a session's header. Pages have no fields. */
export const fluuxFormat: KnownFormat = {
  proved: '1',
  versionOf: ({ type, version }) => (type === 'session' ? version : undefined),
  record: knownObject(
    ['type'],
    {},
    knownTypes('type', [
      ['session', knownObject(['version', 'created', 'jid'])],
      ['message', message],
    ]),
  ),
  documentValue: () => undefined,
}
