// What a form has, and what its page was opened with.

export function valueOf(control) {
  return /^(checkbox|radio)$/.test(control.type) ? control.checked : control.value;
}

export function defaultOf(control) {
  if (/^(checkbox|radio)$/.test(control.type)) return control.defaultChecked;
  if (!control.options) return control.defaultValue;
  return ([...control.options].find((option) => option.defaultSelected) ?? control.options[0])?.value;
}

/** The controls of a form in which something can be entered. */
export function controlsOf(form) {
  return [...form.elements].filter(
    (each) => each.name && !/^(hidden|submit|button|file)$/.test(each.type) && !each.readOnly && !each.disabled,
  );
}

/** Whether a form has something that was not sent. */
export function isTyped(form) {
  return "unsaved" in form.dataset || controlsOf(form).some((each) => valueOf(each) !== defaultOf(each));
}
