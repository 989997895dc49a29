pip install ./clients/python
brightlist login
brightlist enhance photos --enhancement hdr_enhancement --address "12 Garden Lane, Springfield, IL 62704" --output pictures
