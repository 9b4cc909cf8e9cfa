const ACTS = [
  "save delete destroy update create reload touch pop push shift unshift clear close open read gets readlines? next",
  "rewind start stop run kill exit abort fork sleep raise reset lock unlock commit rollback flush write send call",
  "resume join wait remove perform execute increment decrement s?rand take dequeue enqueue drain toggle freeze deliver",
  "charge pay notify publish emit trigger apply approve cancel process submit refresh retry redo dispatch fire insert",
  "append merge connect disconnect login logout sign_in sign_out invalidate expire purge truncate drop archive enable",
  "disable activate deactivate lock unlock binding yield_self system exec require load eval instance_eval class_eval",
  "define_method public_send tap loop throw catch new puts p pp print warn undo transfer withdraw deposit ship refund",
  "deq enq complete finish finalize sync checkout bill archive restore rebuild recalculate reserve release import export",
  "migrate reindex pause proceed confirm reject accept assign advance flash grant revoke ban block unblock erase wipe",
]
  .join(" ")
  .replaceAll(" ", "|");
/** With words behind it, unless they make it a thing: `save_all` acts, `read_at` and `process_id` do not. */
const ACTING = new RegExp(
  `^(?:${ACTS})(?:_(?!(?:\\w+_)?(?:at|on|id|ids|by|count|name|type|size|url)$)\\w+)?$|!$`,
);

/** Whether a member that is called by its name alone surely acts, in languages where reading one calls it. */
export function isActing(name: string): boolean {
  return ACTING.test(name);
}
