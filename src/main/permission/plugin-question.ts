import type { PluginLook } from '../../shared/model/plugins'
import type { Question } from './question'
import { exactly, quoted, shortHash } from './shown'

/** Asks whether a plugin's content is trusted, or is trusted again after it has changed. */
export function pluginQuestion(look: PluginLook, hasChanged: boolean): Question {
  const { name, shown, program, kind, hash, sizeBytes, fileCount } = look
  const size = `${sizeBytes.toLocaleString('en')} bytes`
  return {
    message: hasChanged
      ? `Trust the plugin ${quoted(name)} again, with its new content?`
      : `Trust the plugin ${quoted(name)}?`,
    detail: [
      ...(hasChanged ? ['It has changed since you trusted it.', ''] : []),
      'It runs with your rights: it can read, change and send whatever you can. Models run it without asking you, with arguments of their choice, until its content changes or you take your trust away.',
      '',
      `${kind === 'folder' ? 'Folder' : 'File'}: ${exactly(shown)}`,
      ...(program === shown ? [] : [`Program: ${exactly(program)}`]),
      kind === 'folder'
        ? `Size: ${size} in ${fileCount.toLocaleString('en')} ${fileCount === 1 ? 'file' : 'files'}`
        : `Size: ${size}`,
      `SHA-256: ${shortHash(hash)}`,
    ].join('\n'),
    refusal: 'Cancel',
    answers: ['Trust'],
    isGrave: true,
  }
}
