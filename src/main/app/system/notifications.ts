import { Notification } from 'electron'

/** Those that the system shows: without a reference their clicks would be lost. */
const shown = new Set<Notification>()

/** Shows a notification of the system, in silence; nothing where the system has none. @param clicked the person presses it */
export function showNotification(title: string, body: string, clicked: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({ title, body, silent: true })
  shown.add(notification)
  const forget = () => void shown.delete(notification)
  notification.on('click', () => {
    forget()
    clicked()
  })
  notification.on('close', forget)
  notification.on('failed', forget)
  notification.show()
}
